// Kills and stops workers for as long as it takes to say that nothing is lost: npm run chaos -- --store postgres --kills 50 --freezes 5

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readOptions, refuse } from "../../bench/options.ts";
import { storeKinds, type StoreName } from "../open-store.ts";
import { noPostgres } from "../postgres-server.ts";
import { campaign, reportInWords, storeSide } from "./campaign.ts";
import { crowd } from "./crowd.ts";
import { placeFor } from "./place.ts";
import { isFaultless } from "./verdict.ts";

const help = `npm run chaos -- [options]

  --store <name>     ${storeKinds.join(", ")}; default: each of them, postgres where this machine has it
  --kills <n>        how many workers are killed; default 50 on postgres, 15 elsewhere
  --freezes <n>      how many are stopped for longer than their lease; default 5 on postgres, 2 elsewhere
  --suspended <n>    instead: so many runs wait for approval, all workers are killed, all runs are approved
  --at-once <n>      instead: so many runs at once on two workers
  --json             the reports as JSON`;

const values = readOptions(help, {
  store: { type: "string", default: "" },
  kills: { type: "string", default: "" },
  freezes: { type: "string", default: "" },
  suspended: { type: "string", default: "" },
  "at-once": { type: "string", default: "" },
  json: { type: "boolean", default: false },
});

process.exitCode = (await playAll()) ? 0 : 1;

/** Whether everything was as it must be. */
async function playAll(): Promise<boolean> {
  const known = storeKinds.find((name) => name === values.store);
  if (values.store !== "" && !known)
    refuse(help, `Expected --store to be one of ${storeKinds.join(", ")}, got ${values.store}.`);
  for (const name of ["kills", "freezes", "suspended", "at-once"] as const)
    if (!/^\d*$/.test(values[name])) refuse(help, `Expected --${name} to be a whole number, got ${values[name]}.`);
  let isGood = true;
  for (const store of known ? [known] : storeKinds) {
    if (store === "postgres" && noPostgres) console.log(`skip  postgres: ${noPostgres}`);
    else isGood = (await play(store)) && isGood;
  }
  return isGood;
}

async function play(store: StoreName): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "chaos-"));
  const { where, end } = await placeFor(store, folder);
  const isServer = store === "postgres";
  const orders = {
    store,
    where,
    leaseMs: 1_500,
    notes: join(folder, "notes.jsonl"),
    pace: { model: 20, slow: 60, quick: 20 },
    atOnce: 20,
  };
  const atRest = { ...orders, leaseMs: 10_000, pace: { model: 0, slow: 0, quick: 0 }, atOnce: 100 };
  try {
    const { suspended, "at-once": atOnce } = values;
    if (suspended !== "" || atOnce !== "") {
      const report = await crowd({ ...atRest, runs: Number(suspended || atOnce), isKilled: suspended !== "" });
      console.log(`${store}: ${JSON.stringify(report)}`);
      return isFaultless(report);
    }
    const plan = {
      kills: Number(values.kills || (isServer ? 50 : 15)),
      freezes: Number(values.freezes || (isServer ? 5 : 2)),
      wave: 8,
      everyMs: 900,
      mostMs: 900_000,
      notes: orders.notes,
      freezeMs: 2 * orders.leaseMs,
    };
    const report = await campaign(await storeSide(orders), plan);
    console.log(values.json ? JSON.stringify({ store, ...report }) : `${store}: ${reportInWords(report)}`);
    return isFaultless(report);
  } finally {
    await end();
    await rm(folder, { recursive: true, force: true });
  }
}
