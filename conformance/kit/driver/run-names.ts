// Names a run that is started beside another, and knows of which run it is.

const suffix = "-again";

/** The name of a run that is started beside another, on the same session. */
export function runBeside(run: string): string {
  return `${run}${suffix}`;
}

/** The run beside which a run was started, or the run itself. */
export function firstRunOf(run: string): string {
  return run.endsWith(suffix) ? run.slice(0, -suffix.length) : run;
}
