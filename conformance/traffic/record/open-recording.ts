// A recorder with its log beside the future fixture, for commands and tests.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { commandLine } from "../../kit/base/cli-name.ts";
import { makeFolder } from "../../kit/base/make-folder.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import { RecordingLog, recordingLogOf } from "./recording-log.ts";
import { Recorder } from "./recorder.ts";
import { Recording } from "./recording.ts";
import type { RecordingOptions } from "./recording.ts";
import type { Upstream } from "./routes.ts";
import { secretsOf } from "../fixture/secret-names.ts";
import { createScan } from "../fixture/secrets.ts";
import { thisProgram } from "./this-program.ts";

/** A recorder at work. */
export interface OpenRecording {
  recorder: Recorder;
  /** Ends the recorder and closes its log. The log stays. */
  close(): Promise<void>;
}

/**
 * Starts a recorder that writes into the recording log of a fixture.
 * @throws FixtureError if there is such a log already, or it cannot be written
 */
export async function openRecording(
  fixture: string,
  upstreams: readonly Upstream[],
  options: Omit<RecordingOptions, "log" | "scan">,
): Promise<OpenRecording> {
  const scan = await createScan(secretsOf(process.env));
  const log = await openLog(fixture);
  const recorder = await Recorder.start(upstreams, new Recording({ ...options, log, scan }));
  return {
    recorder,
    async close() {
      await recorder.stop();
      log.close();
    },
  };
}

async function openLog(fixture: string): Promise<RecordingLog> {
  const path = recordingLogOf(fixture);
  const { name, version } = thisProgram();
  try {
    makeFolder(dirname(fixture));
    return new RecordingLog(path, { date: new Date().toISOString(), recorder: `${name} ${version}` });
  } catch (thrown) {
    if (!existsSync(path))
      throw new FixtureError(`${fixture} cannot be written: ${(thrown as Error).message}; name another file`);
    throw new FixtureError(
      `${path} exists: ${fixture} is being recorded, or a recording was interrupted. If interrupted, delete the log, or make a fixture from it: ${commandLine} record --recover --out ${fixture}`,
    );
  }
}
