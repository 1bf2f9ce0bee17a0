// The command `record`: runs a program against a local proxy, writes what was said into a fixture, and audits it where that is wanted.

import { commandLine } from "../kit/base/cli-name.ts";
import { baseUrlVariables, ledToUpstreams } from "../traffic/record/environment.ts";
import { writeFixture } from "../traffic/fixture/fixture-file.ts";
import { RecordingLog, recordingLogOf, recover } from "../traffic/record/recording-log.ts";
import { runProgram } from "../traffic/record/run-program.ts";
import type { JudgedLevel } from "../kit/suite/levels.ts";
import { targetsOf } from "./shared/reporting.ts";
import { checkWritable, refuseToOverwrite } from "./shared/write-file.ts";
import { openRecorder } from "./shared/open-recorder.ts";
import { ownUpstreams } from "./shared/upstream-options.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface RecordOptions {
  out: string;
  upstream?: string[];
  redact?: boolean;
  allowUnscanned?: boolean;
  overwrite?: boolean;
  recover?: boolean;
  audit?: boolean;
  level?: JudgedLevel;
  reporter?: string[];
}

/**
 * Exit code: the program's own if that is not 0; else 1 if an exchange was not recorded, or there was none, or if the audit finds a
 * requirement broken. A program that the recorder has ended, because of a secret, has no exit code of its own.
 * @see RECORD-10
 */
export async function record(command: string[], options: RecordOptions): Promise<void> {
  const { out, redact = false, allowUnscanned = false } = options;
  checkAuditOptions(options);
  refuseToOverwrite(out, options);
  if (options.recover) return finish(out, 0, options);
  if (command.length === 0)
    throw new UsageError(`expected a program after --, such as: ${commandLine} record --out f.json -- node agent.js`);
  const upstreams = ownUpstreams(options.upstream);
  const { recorder, broken, problems, close } = await openRecorder(out, upstreams, { redact, allowUnscanned });
  let code: number;
  try {
    const { origin } = recorder;
    const led = ledToUpstreams(origin, upstreams, process.env);
    const environment = { ...process.env, ...baseUrlVariables(origin, upstreams), ...led };
    code = await runProgram(command, environment, { end: broken });
  } catch (thrown) {
    await close();
    RecordingLog.remove(recordingLogOf(out));
    throw thrown;
  }
  await close();
  await finish(out, problems(), options);
  const own = broken.aborted ? 0 : code;
  process.exitCode = own || (problems() > 0 ? 1 : (process.exitCode ?? 0));
}

/** @throws UsageError where an option says how to audit and nothing is audited, or a report would stand in the program's output */
function checkAuditOptions({ audit: isAudited = false, level, reporter }: RecordOptions): void {
  const name = level === undefined ? "--reporter" : "--level";
  if (!isAudited && (level !== undefined || reporter !== undefined))
    throw new UsageError(`${name} is about the audit at the end; add --audit, or leave it out`);
  const targets = targetsOf(reporter);
  const mixed = targets.find((target) => target.name !== "pretty" && target.file === undefined);
  if (mixed)
    throw new UsageError(
      `--reporter ${mixed.name} would stand in the output of the program; give it a file: --reporter ${mixed.name}=<file>`,
    );
  for (const { file } of targets) if (file !== undefined) checkWritable(file);
}

/** Makes the fixture from the recording log, removes the log, and audits. `problems` says how often something was not recorded. */
async function finish(out: string, problems: number, options: RecordOptions): Promise<void> {
  const path = recordingLogOf(out);
  const fixture = recoverRecording(path);
  if (fixture) await writeFixture(out, fixture);
  RecordingLog.remove(path);
  if (fixture) {
    const { length } = fixture.exchanges;
    console.error(`${out}: ${length} ${length === 1 ? "exchange" : "exchanges"} recorded`);
    if (options.audit) process.exitCode = await auditOf(out, options);
    return;
  }
  const why = problems > 0 ? "" : ". Does the program use the base URL of its environment?";
  console.error(`${out} was not written: nothing was recorded${why}`);
  process.exitCode = 1;
}

/** On stderr, as all that a recorder says: stdout is the program's. */
async function auditOf(out: string, { level, reporter }: RecordOptions): Promise<number> {
  const { auditFiles } = await import("./audit.ts");
  return auditFiles([out], { ...(level && { level }), ...(reporter && { reporter }) }, process.stderr);
}

function recoverRecording(path: string): ReturnType<typeof recover> {
  try {
    return recover(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
    throw new UsageError(`there is no recording log ${path}, so nothing to recover`);
  }
}
