// Replays recordings over HTTP to the official SDKs: they must read what they read in the recorded bytes, and use every exchange.

import type { Fixture } from "../../../schemas/types.ts";
import type { OpenTape } from "../../traffic/replay/open-tape.ts";
import { TapeServer } from "../../traffic/replay/tape-server.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { hostOf, hosts, otherHosts } from "../../kit/wire/hosts.ts";
import { canonical, contrast, type Difference } from "./difference.ts";
import { answerOf, type RecordedExchange, type Recording } from "./recording.ts";
import { toFixture } from "./round-trip.ts";
import { readWithSdk } from "./sdk-reading.ts";

/** What was replayed. */
export interface ReplayCounts {
  recordings: number;
  json: number;
  streamed: number;
  /** Answers that the SDK refuses, over HTTP as in the recorded bytes. */
  refused: number;
  differences: Difference[];
}

/** So many recordings are replayed at once, each on a tape of its own. */
const atOnce = 8;

/** Replays every recording. */
export async function checkReplays(recordings: readonly Recording[]): Promise<ReplayCounts> {
  const counts: ReplayCounts = { recordings: 0, json: 0, streamed: 0, refused: 0, differences: [] };
  const server = await TapeServer.start();
  try {
    const waiting = recordings.values();
    const work = async () => {
      for (const recording of waiting) await replayRecording(server, recording, counts);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await server.stop();
  }
  return counts;
}

async function replayRecording(server: TapeServer, recording: Recording, counts: ReplayCounts): Promise<void> {
  const { file, provider, exchanges } = recording;
  const report = (exchange: number, kind: string, detail: string) =>
    counts.differences.push({ file, exchange, kind, detail });
  const fixture = toFixture(recording);
  // What their rules say of the requests is the business of the audit.
  const { id, ...open } = server.open(fixture, { name: file, rules: false });
  counts.recordings += 1;
  for (const [at, exchange] of exchanges.entries()) {
    const streamed = exchange.response.sse !== undefined;
    counts[streamed ? "streamed" : "json"] += 1;
    const differences = compareRequest(exchange, fixture.exchanges[at]!, open);
    const replayed = await readWithSdk(provider, streamed, (init) =>
      fetch(differences.url, { ...init, ...differences.init }),
    );
    const recorded = await readWithSdk(provider, streamed, () => answerOf(exchange));
    if ("refuses" in recorded) counts.refused += 1;
    if (canonical(replayed) !== canonical(recorded)) report(at + 1, "replay/sdk", contrast(recorded, replayed));
  }
  const { passed, problems, unused } = open.tape.verdict;
  if (!passed) report(0, "replay/verdict", problems[0]?.message ?? `exchange ${unused[0]?.number} was not used`);
  server.close(id);
}

/** Where the recorded request is sent, and with what; one to the provider's endpoint where none was kept. */
function compareRequest(
  { request }: RecordedExchange,
  { provider, upstream }: Fixture["exchanges"][number],
  { tape: _tape, base_urls }: Omit<OpenTape, "id">,
): { url: string; init: RequestInit } {
  const name = upstream ?? hostOf(provider).name;
  const { basePath, endpoint } = codecs[provider as Recording["provider"]];
  const path = request?.path ?? basePath + endpoint;
  const { basePath: after = "" } = [...hosts, ...otherHosts].find((host) => host.name === name) ?? {};
  const base = base_urls[name]!;
  const url = `${base.endsWith(after) ? base.slice(0, base.length - after.length) : base}${path}`;
  if (!request) return { url, init: {} };
  const { method, body } = request;
  // A question whether an answer is there yet has no body.
  return { url, init: { method, body: body == null ? null : JSON.stringify(body) } };
}
