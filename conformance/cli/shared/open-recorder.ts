// A recorder as `record` and `replay --update` need it: leaks are reported, and end the recording.

import { openRecording } from "../../traffic/record/open-recording.ts";
import type { OpenRecording } from "../../traffic/record/open-recording.ts";
import type { Leak } from "../../traffic/record/recording.ts";
import type { Upstream } from "../../traffic/record/routes.ts";

/** A recorder at work; when it is closed it says which secrets were met. */
export interface OpenRecorder extends OpenRecording {
  /** Aborts when a secret was met that may not be replaced. */
  broken: AbortSignal;
}

/**
 * Starts a recorder whose log is beside the future fixture.
 * @throws FixtureError if a log is there already
 */
export async function openRecorder(
  out: string,
  upstreams: readonly Upstream[],
  redact: boolean,
): Promise<OpenRecorder> {
  const leaks: Leak[] = [];
  const broken = new AbortController();
  const { recorder, close } = await openRecording(out, upstreams, {
    redact,
    onLeak(leak) {
      leaks.push(leak);
      if (!leak.replaced) broken.abort();
    },
    onFailure: ({ upstream }, { message }) => console.error(`not recorded: ${upstream.url} ${message}`),
  });
  return {
    recorder,
    broken: broken.signal,
    async close() {
      await close();
      for (const leak of leaks) console.error(describeLeak(leak));
    },
  };
}

function describeLeak({ exchange, place, kind, replaced }: Leak): string {
  const where = `${kind} was found in the ${place} of exchange ${exchange}`;
  if (replaced) return `${where}; it was replaced`;
  return `${where}. The recording was ended before it was written. Take it out of what the program sends, or record with --redact`;
}
