// The command `repair`: makes a session that another program left broken valid again, and says what it changed.

import { repairSession } from "../../reference/state/repair-session.ts";
import type { Session } from "../../schemas/types.ts";
import { describeProblems, validate } from "../kit/base/validate.ts";
import { readJson } from "../kit/base/read-json.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { writeWhole } from "./shared/write-file.ts";

/** The options of the command line. */
export interface RepairOptions {
  dryRun?: boolean;
  output?: string;
}

/** Writes the session in its place, or to `output`. With `dryRun`, exit code 1 if there is something to repair. @see SESSION-20 */
export function repair(file: string, { dryRun = false, output }: RepairOptions): void {
  const value = readJson(file);
  const problems = validate("Session", value);
  if (problems.length > 0)
    throw new UsageError(`${file} is no session, which a repair cannot change:\n${describeProblems(problems)}`);
  const { session, changes } = repairSession(value as Session);
  for (const { pointer, kind, message } of changes) console.error(`${file}${pointer}: ${kind}: ${message}`);
  const target = output ?? file;
  if (dryRun) {
    console.error(`${file}: ${changes.length === 0 ? "nothing to repair" : `${changes.length} changes to make`}`);
    process.exitCode = changes.length === 0 ? 0 : 1;
  } else if (target === "-") console.log(JSON.stringify(session, null, 2));
  else if (changes.length === 0 && target === file) console.error(`${file}: nothing to repair`);
  else {
    writeWhole(target, `${JSON.stringify(session, null, 2)}\n`);
    console.error(`${target}: written; what was changed: ${changes.length}`);
  }
}
