// Kills and stops workers on an engine in the midst of runs, and says whether anything was lost or done twice: npm run chaos -- dbos 15 2

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaign, reportInWords } from "../../../testing/chaos/campaign.ts";
import { isFaultless } from "../../../testing/chaos/verdict.ts";
import type { EngineTest } from "./engine.ts";

const engines: Record<string, () => Promise<EngineTest>> = {
  dbos: async () => (await import("./dbos-test.ts")).dbosTest,
  restate: async () => (await import("./restate-test.ts")).restateTest,
  temporal: async () => (await import("./temporal-test.ts")).temporalTest,
};

const [name = "", kills = "15", freezes = "2"] = process.argv.slice(2);
const load = engines[name];
if (!load) throw new Error(`Expected one of ${Object.keys(engines).join(", ")}, got "${name}".`);
process.exit((await play(await load())) ? 0 : 1);

async function play({ missing, start }: EngineTest): Promise<boolean> {
  if (missing) {
    console.log(`skip  ${name}: ${missing}`);
    return true;
  }
  const folder = await mkdtemp(join(tmpdir(), "chaos-"));
  const notes = join(folder, "notes.jsonl");
  try {
    const { side, freezeMs } = await start(folder, notes);
    const blows = { kills: Number(kills), freezes: Number(freezes), freezeMs };
    const report = await campaign(side, { notes, ...blows, wave: 8, everyMs: 1_500, mostMs: 600_000 });
    console.log(`${name}: ${reportInWords(report)}`);
    return isFaultless(report);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
