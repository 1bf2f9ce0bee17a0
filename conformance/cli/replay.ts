// The command `replay`: runs a program offline, against a fixture, and says whether it asked what was recorded.

import { commandLine } from "../kit/base/cli-name.ts";
import type { Exchange, Fixture } from "../../schemas/types.ts";
import { baseUrlVariables, ledToUpstreams, offlineEnvironment } from "../traffic/record/environment.ts";
import { readFixture, writeFixture } from "../traffic/fixture/fixture-file.ts";
import { RecordingLog, recordingLogOf, readRecordingLog } from "../traffic/record/recording-log.ts";
import type { Timing } from "../traffic/replay/play-answer.ts";
import { playedExchange } from "../traffic/replay/played-exchange.ts";
import { Renewal } from "../traffic/record/renew.ts";
import { runProgram } from "../traffic/record/run-program.ts";
import { TapeServer } from "../traffic/replay/tape-server.ts";
import { describeVerdict } from "../traffic/replay/tape-messages.ts";
import { openRecorder } from "./shared/open-recorder.ts";
import { faultsOf } from "./shared/tape-options.ts";
import { ownUpstreams } from "./shared/upstream-options.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface ReplayOptions {
  order?: "strict" | "any";
  timing: Timing;
  rules: boolean;
  fault?: string[];
  expect?: string;
  update?: boolean;
  upstream?: string[];
  redact?: boolean;
  allowUnscanned?: boolean;
  keepEnv?: string[];
}

/** Exit code: the program's own if that is not 0; else 1 if the replay failed, or an expectation was not met. */
export async function replay(file: string, command: string[], options: ReplayOptions): Promise<void> {
  if (command.length === 0)
    throw new UsageError(`expected a program after --, such as: ${commandLine} replay f.json -- node agent.js`);
  const fixture = await readFixture(file);
  const holds = await expectationOf(options);
  if (options.update) return update(file, fixture, command, options, holds);
  const { order, timing, rules } = options;
  const faults = faultsOf(options.fault);
  const played: Exchange[] = [];
  const server = await TapeServer.start();
  try {
    const { tape, upstreams } = server.openRoot(fixture, {
      name: file,
      timing,
      rules,
      faults,
      ...(order && { order }),
      ...(options.expect !== undefined && {
        onRequest: (request, taken) => void played.push(playedExchange(request, taken)),
      }),
    });
    const environment = offlineEnvironment(process.env, server.origin, upstreams, server.origin, options.keepEnv);
    const code = await runProgram(command, environment);
    for (const line of describeVerdict(file, tape.verdict)) console.error(line);
    const isMet = await holds(played);
    process.exitCode = code === 0 && !(tape.verdict.passed && isMet) ? 1 : code;
  } finally {
    await server.stop();
  }
}

/** Says what of the traffic is not as expected, and whether all is. */
type Holds = (exchanges: Exchange[]) => Promise<boolean>;

/** What holds traffic against a file of expectations, if one is given. */
async function expectationOf({ expect }: ReplayOptions): Promise<Holds> {
  if (expect === undefined) return async () => true;
  const { readExpectation, unmetLines } = await import("../traffic/read/expectation.ts");
  const unmetBy = readExpectation(expect);
  return async (exchanges) => {
    const unmet = await unmetBy(exchanges);
    for (const line of unmet.flatMap(unmetLines)) console.error(line);
    return unmet.length === 0;
  };
}

/** Answers matching requests from the fixture, sends the rest to the providers, and rewrites the fixture. Exit code: the program's own. */
async function update(
  file: string,
  fixture: Fixture,
  command: string[],
  options: ReplayOptions,
  holds: Holds,
): Promise<void> {
  if (process.env["CI"])
    throw new UsageError("--update calls the providers, and is not for CI; record where there are keys");
  if (fixture.origin === "crafted")
    throw new UsageError(
      `${file} is crafted, and a recording must not overwrite it; edit it, or record to another file`,
    );
  const upstreams = ownUpstreams(options.upstream);
  const { recorder, broken, close } = await openRecorder(file, upstreams, {
    redact: options.redact ?? false,
    allowUnscanned: options.allowUnscanned ?? false,
  });
  const renewal = new Renewal(recorder, upstreams);
  const server = await TapeServer.start();
  let code: number;
  try {
    const { order, timing, rules } = options;
    const led = ledToUpstreams(server.origin, upstreams, process.env);
    server.openRoot(fixture, { name: file, timing, rules, renewal, ...(order && { order }) });
    code = await runProgram(
      command,
      { ...process.env, ...baseUrlVariables(server.origin, upstreams), ...led },
      { end: broken },
    );
  } finally {
    await server.stop();
    await close();
  }
  const log = recordingLogOf(file);
  const { recorded, complete } = readRecordingLog(log);
  const { exchanges, changes } = await renewal.end(fixture, complete);
  if (exchanges.length > 0 && changes.length > 0 && !broken.aborted)
    await writeFixture(file, { ...fixture, recorded: { ...fixture.recorded, ...recorded }, exchanges });
  RecordingLog.remove(log);
  for (const line of changes) console.error(line);
  if (exchanges.length === 0) console.error(`${file} was not changed: no request was received`);
  else console.error(changes.length === 0 ? `${file}: nothing has changed` : `${file}: ${exchanges.length} exchanges`);
  const isMet = await holds(exchanges);
  process.exitCode = broken.aborted || exchanges.length === 0 ? 1 : code || Number(!isMet);
}
