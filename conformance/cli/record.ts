// The command `record`: runs a program against a local proxy, and writes what was said into a fixture.

import { baseUrlVariables } from "../traffic/record/environment.ts";
import { writeFixture } from "../traffic/fixture/fixture-file.ts";
import { RecordingLog, recordingLogOf, recover } from "../traffic/record/recording-log.ts";
import { runProgram } from "../traffic/record/run-program.ts";
import { openRecorder } from "./shared/open-recorder.ts";
import { namedUpstreams } from "./shared/upstream-options.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface RecordOptions {
  out: string;
  upstream?: string[];
  redact?: boolean;
  recover?: boolean;
}

/** Exit code: the program's own if that is not 0; else 1 if a secret was met or nothing was recorded. */
export async function record(command: string[], options: RecordOptions): Promise<void> {
  const { out, redact = false } = options;
  if (options.recover) return finish(out);
  if (command.length === 0)
    throw new UsageError("expected a program after --, such as: agent-loop record --out f.json -- node agent.js");
  const upstreams = namedUpstreams(options.upstream);
  const { recorder, broken, close } = await openRecorder(out, upstreams, redact);
  let code: number;
  try {
    const environment = { ...process.env, ...baseUrlVariables(recorder.origin, upstreams) };
    code = await runProgram(command, environment, broken);
  } finally {
    await close();
  }
  await finish(out);
  process.exitCode = broken.aborted ? 1 : code || (process.exitCode ?? 0);
}

/** Makes the fixture from the recording log, and removes the log. */
async function finish(out: string): Promise<void> {
  const path = recordingLogOf(out);
  const fixture = recoverRecording(path);
  if (fixture) await writeFixture(out, fixture);
  RecordingLog.remove(path);
  if (fixture) {
    const { length } = fixture.exchanges;
    console.error(`${out}: ${length} ${length === 1 ? "exchange" : "exchanges"} recorded`);
    return;
  }
  console.error(`${out} was not written: nothing was recorded. Does the program use the base URL of its environment?`);
  process.exitCode = 1;
}

function recoverRecording(path: string): ReturnType<typeof recover> {
  try {
    return recover(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
    throw new UsageError(`there is no recording log ${path}, so nothing to recover`);
  }
}
