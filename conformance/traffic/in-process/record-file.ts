// Records the fixture of one test, from the real hosts, and writes it at its end.

import { baseUrlOf, baseUrlVariables } from "../record/environment.ts";
import { writeFixture } from "../fixture/fixture-file.ts";
import { RecordingLog, recordingLogOf, recover } from "../record/recording-log.ts";
import { openRecording } from "../record/open-recording.ts";
import { upstreamsAt } from "../record/routes.ts";
import { endingWith } from "./ending.ts";
import { replaceVariables } from "./replace-variables.ts";
import type { Replay } from "./types.ts";
import { ReplayError } from "./verify.ts";

interface RecordFileOptions {
  upstreams: Record<string, string>;
  redact: boolean;
  allowUnscanned: boolean;
  environment: NodeJS.ProcessEnv | undefined;
}

/** @see RECORD-1, RECORD-3, REPLAY-10 */
export async function recordFile(
  file: string,
  { upstreams: named, redact, allowUnscanned, environment }: RecordFileOptions,
): Promise<Replay> {
  /** What invalidates the recording. */
  const problems: string[] = [];
  const upstreams = upstreamsAt(named);
  const { recorder, close } = await openRecording(file, upstreams, {
    redact,
    allowUnscanned,
    onLeak({ exchange, place, kind, replaced, ends }) {
      if (replaced) return;
      const advice = ends
        ? "replace it with { redact: true }"
        : "it is split or encoded, so that it cannot be replaced";
      problems.push(`${kind} was found in the ${place} of exchange ${exchange}; ${advice}`);
    },
    onFailure: ({ upstream }, { message }) => problems.push(`${upstream.url} ${message}`),
  });
  const { origin } = recorder;
  const env = { ...process.env, ...baseUrlVariables(origin, upstreams) };
  const putBack = replaceVariables(environment, env);
  const base_urls = Object.fromEntries(upstreams.map((upstream) => [upstream.name, baseUrlOf(origin, upstream)]));
  return {
    mode: "record",
    base_url: base_urls["openai"]!,
    base_urls,
    env,
    verdict: undefined,
    ...endingWith(async () => {
      putBack();
      await close();
      await keep(file, problems);
    }),
  };
}

/** Writes the fixture if the recording is complete; the recording log is removed either way. */
async function keep(file: string, problems: readonly string[]): Promise<void> {
  const path = recordingLogOf(file);
  try {
    if (problems.length > 0) throw new ReplayError([`${file} was not written`, ...problems].join("\n"));
    const fixture = recover(path);
    if (!fixture)
      throw new ReplayError(
        `${file} was not written: no request was received. Does the program use the base URL that it is given?`,
      );
    await writeFixture(file, fixture);
  } finally {
    RecordingLog.remove(path);
  }
}
