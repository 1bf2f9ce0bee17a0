// A recorder as `record` and `replay --update` need it: leaks are reported, and end the recording.

import { openRecording } from "../../traffic/record/open-recording.ts";
import type { OpenRecording } from "../../traffic/record/open-recording.ts";
import type { Leak, RecordingOptions } from "../../traffic/record/recording.ts";
import type { Upstream } from "../../traffic/record/routes.ts";

/** A recorder at work; when it is closed it says which secrets were met. */
export interface OpenRecorder extends OpenRecording {
  /** Aborts when a secret was met that may not be replaced. */
  broken: AbortSignal;
  /** How often something was not recorded that was said. */
  problems(): number;
}

/**
 * Starts a recorder whose log is beside the future fixture.
 * @throws FixtureError if a log is there already
 */
export async function openRecorder(
  out: string,
  upstreams: readonly Upstream[],
  options: Pick<RecordingOptions, "redact" | "allowUnscanned">,
): Promise<OpenRecorder> {
  const leaks: Leak[] = [];
  let failures = 0;
  const broken = new AbortController();
  const { recorder, close } = await openRecording(out, upstreams, {
    ...options,
    onLeak(leak) {
      leaks.push(leak);
      if (leak.ends) broken.abort();
    },
    onFailure({ upstream }, { message }) {
      failures += 1;
      console.error(`not recorded: ${upstream.url} ${message}`);
    },
  });
  return {
    recorder,
    broken: broken.signal,
    problems: () => failures + leaks.filter(({ replaced }) => !replaced).length,
    async close() {
      await close();
      for (const leak of leaks) console.error(describeLeak(leak));
    },
  };
}

function describeLeak({ exchange, place, kind, replaced, ends }: Leak): string {
  const where = `${kind} was found in the ${place} of exchange ${exchange}`;
  if (replaced) return `${where}; it was replaced`;
  if (!ends) return `${where}, split or encoded, so that it could not be replaced; the exchange was left out`;
  return `${where}. The recording was ended before it was written. Take it out of what the program sends, or record with --redact`;
}
