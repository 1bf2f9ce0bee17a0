// Checks the adapters and the loop against recordings of real traffic: `npm run recordings [-- folder]`.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { checkAudits } from "./audits.ts";
import { checkChains } from "./chains.ts";
import { type Difference, readListed, sortDifferences } from "./difference.ts";
import { type Recording, readRecordings } from "./recording.ts";
import { checkReplays } from "./replays.ts";
import { checkResponses, type ResponseCounts } from "./responses.ts";
import { checkRoundTrip, type FormCounts } from "./round-trip.ts";

const root = resolve(import.meta.dirname, "../../..");
const folder = resolve(process.argv[2] ?? resolve(root, "../shared/recordings"));
const seed = 20260101;

if (existsSync(folder)) process.exitCode = await run();
else console.log(`No recordings in ${folder}: nothing to check. Name a folder: npm run recordings -- <folder>`);

async function run(): Promise<number> {
  const recordings = readRecordings(folder);
  const random = randomFrom(seed);
  const responses: ResponseCounts = {
    json: 0,
    streamed: 0,
    failed: 0,
    compared: 0,
    refusedBySdk: 0,
    readAnyway: 0,
    splits: 0,
    differences: [],
  };
  for (const recording of recordings) await checkResponses(recording, random, responses);
  const chains = await checkChains(recordings);
  const forms: FormCounts = { body: 0, text: 0, events: 0, writes: 0 };
  const lost: Difference[] = [];
  for (const recording of recordings) checkRoundTrip(recording, forms, lost);
  const audits = await checkAudits(recordings);
  const replays = await checkReplays(recordings);
  printTags(recordings);
  const { json, streamed, failed, compared, refusedBySdk, readAnyway, splits } = responses;
  console.log(
    `\nresponses  ${json + streamed} read (${json} JSON, ${streamed} streamed), ${failed} of them typed errors`,
  );
  console.log(
    `           ${compared} compared with the SDK's reading, ${refusedBySdk} refused by the SDK (${readAnyway} of them read by the adapter); ${splits} other cuts of the streams`,
  );
  console.log(
    `chains     ${chains.replayed} replayed through the loop, ${chains.requests} requests compared; ${chains.skipped} without tool loop`,
  );
  console.log(
    `fixtures   ${forms.body} answers kept as body, ${forms.text} as text, ${forms.events} as events, ${forms.writes} as writes; ${lost.length} lost something`,
  );
  console.log(
    `audit      ${audits.requests} requests in ${audits.conversations} conversations; ${audits.confirmed} breaches that the server refused too, ${audits.differences.length} others, ${audits.notes} notes`,
  );
  console.log(
    `replays    ${replays.recordings} over HTTP to the SDK, ${replays.json} answers whole and ${replays.streamed} streamed; ${replays.refused} refused by it, as recorded`,
  );
  const found = [responses.differences, chains.differences, lost, audits.differences, replays.differences];
  return printDifferences(
    found.flat(),
    recordings.map(({ file }) => file),
  );
}

function printTags(recordings: Recording[]): void {
  const tags = new Map<string, number>();
  for (const tag of recordings.flatMap((recording) => recording.tags)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  const counted = [...tags]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([tag, count]) => `${tag} ${count}`);
  console.log(`${recordings.length} recordings. By tag: ${counted.join(" · ")}`);
}

function printDifferences(differences: Difference[], files: string[]): number {
  const { unlisted, stale, foreign, listed } = sortDifferences(
    differences,
    readListed(resolve(import.meta.dirname, "differences.yaml")),
    files,
  );
  const known = differences.length - unlisted.length;
  console.log(`\ndifferences  ${differences.length}: ${known} listed with their reason, ${unlisted.length} not listed`);
  for (const [{ file, kind, reason }, found] of listed) {
    console.log(`  ${String(found.length).padStart(3)} × ${kind} in ${file}: ${reason}`);
    if (!file.includes("*")) continue;
    for (const one of new Set(found.map((difference) => difference.file))) console.log(`        ${one}`);
  }
  for (const { file, exchange, kind, detail } of unlisted) {
    console.log(`\n  not listed: ${kind}\n        ${file}, exchange ${exchange}\n        ${detail}`);
  }
  for (const { file, kind } of stale)
    console.log(`\n  stale: nothing differs any more as ${kind} in ${file}; take it out of differences.yaml`);
  if (foreign.length > 0)
    console.log(
      `\n  ${foreign.length} entries of differences.yaml are about other recordings than those of this folder`,
    );
  return unlisted.length + stale.length > 0 ? 1 : 0;
}

/** A small generator of the same numbers every time (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
