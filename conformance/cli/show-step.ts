// `show --step`: the transitions of a run, one at a time in the terminal, one after another, or as a page.

import { existsSync } from "node:fs";
import { titleLines, transitionLines } from "../teaching/stepper/screen.ts";
import type { Trace } from "../teaching/stepper/trace.ts";
import { transitionsOf } from "../teaching/stepper/transitions.ts";
import { walk } from "../teaching/stepper/walk.ts";
import { readShown } from "../traffic/read/read-shown.ts";
import { sayWhenInterrupted } from "./shared/interrupted.ts";
import { wantsColor } from "./shared/terminal.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** Lines of one entry that are shown without --full. */
const most = 12;

/** What of the options of `show` goes with `--step`. */
interface StepOptions {
  full?: boolean;
  html?: string;
  all?: boolean;
  driver?: string;
}

/**
 * Walks through a file or a case.
 * @throws UsageError if there is no run in it
 */
export async function showSteps(name: string, { full = false, html, all = false, driver }: StepOptions): Promise<void> {
  const trace = await readTrace(name, driver);
  const transitions = transitionsOf(trace);
  const count = transitions.length;
  if (count === 0) throw new UsageError(`${name} has no transition: nothing happened in it`);
  if (html !== undefined) {
    const [{ walkPage }, { writeWhole }] = await Promise.all([
      import("../teaching/stepper/page.ts"),
      import("./shared/write-file.ts"),
    ]);
    return writeWhole(html, walkPage(trace, transitions));
  }
  const { stdin, stdout, env } = process;
  const style = (columns: number) => ({
    color: wantsColor(stdout, env),
    columns: Math.min(columns, 120),
    most: full ? Infinity : most,
  });
  const linesOf = (at: number, width: number) => [
    ...(at === 0 ? [...titleLines(trace, style(width)), ""] : []),
    ...transitionLines(transitions[at]!, count, style(width)),
  ];
  const isWatched = stdin.isTTY && stdout.isTTY && name !== "-";
  if (isWatched && !all) return walk(count, linesOf, stdin, stdout);
  const { columns = 80 } = stdout;
  for (const at of transitions.keys()) for (const line of [...linesOf(at, columns), ""]) console.log(line);
}

/** A file is read as what it is; what is no file is a case. Each reader is loaded only for what it reads. */
async function readTrace(name: string, driver: string | undefined): Promise<Trace> {
  if (name !== "-" && !existsSync(name)) {
    if (/\.(jsonl?|ndjson)$/.test(name)) throw new UsageError(`${name} cannot be read: there is no such file`);
    const { readCase } = await import("../teaching/stepper/play-case.ts");
    const takeBack = sayWhenInterrupted(() => `while ${driver ?? "reference"} played ${name}; nothing of it is shown`);
    const trace = await readCase({ name, driver: driver ?? "reference" });
    takeBack();
    return trace;
  }
  if (driver !== undefined) throw new UsageError(`--driver goes with a case; ${name} is a file`);
  const shown = readShown(name);
  if (shown.type === "Event")
    return {
      title: name,
      notes: ["The session before the run is not in its events."],
      before: [],
      events: shown.value,
    };
  if (shown.type === "Fixture")
    return (await import("../teaching/stepper/read-fixture.ts")).readFixtureTrace(name, shown.value);
  const { readSession, readSnapshot } = await import("../teaching/stepper/read-session.ts");
  return shown.type === "Session" ? readSession(name, shown.value) : readSnapshot(name, shown.value);
}
