// Names a run that is started beside or after another, and knows of which run it is.

const suffix = /-(?:again|beside|then\d+)$/;

/** The name of a run that is started beside another, on the same session. */
export function runBeside(run: string): string {
  return `${run}-again`;
}

/** The name of a run that is started beside another, on a session of its own. */
export function runOnAnotherSession(run: string): string {
  return `${run}-beside`;
}

/** The name of the run in which the user says the next thing, counted from 1, after a run has ended. */
export function runAfter(run: string, count: number): string {
  return `${run}-then${count}`;
}

/** The run beside or after which a run was started, or the run itself. */
export function firstRunOf(run: string): string {
  return run.replace(suffix, "");
}
