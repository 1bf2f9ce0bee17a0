// Kills and stops workers for as long as it takes to say that nothing is lost: npm run chaos -- postgres 50 5

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readArguments, refuse } from "../../bench/options.ts";
import { storeKinds, type StoreName } from "../open-store.ts";
import { noPostgres } from "../postgres-server.ts";
import { campaign, reportInWords, storeSide } from "./campaign.ts";
import { crowd } from "./crowd.ts";
import { placeFor } from "./place.ts";
import { isFaultless } from "./verdict.ts";

const engines = ["dbos", "restate", "temporal"] as const;
const places = [...storeKinds, ...engines];

const help = `npm run chaos -- [<${places.join("|")}>] [<kills>] [<freezes>] [options]

  Without a name, each store is tried, postgres where this machine has it. The engines need their packages:
  npm install in reference/durable/engines.
  <kills>            how many workers are killed; default 50 on postgres, 15 elsewhere
  <freezes>          how many are stopped for longer than their lease; default 5 on postgres, 2 elsewhere
  --suspended <n>    instead, on stores: so many runs wait for approval, all workers are killed, all runs are approved
  --at-once <n>      instead, on stores: so many runs at once on two workers
  --json             the reports of stores as JSON`;

const {
  values,
  given: [place = "", kills = "", freezes = ""],
} = readArguments(help, 3, {
  suspended: { type: "string", default: "" },
  "at-once": { type: "string", default: "" },
  json: { type: "boolean", default: false },
});

process.exitCode = (await playAll()) ? 0 : 1;

/** Whether everything was as it must be. */
async function playAll(): Promise<boolean> {
  if (place !== "" && !places.some((name) => name === place))
    refuse(help, `Expected one of ${places.join(", ")}, got ${place}.`);
  const { suspended, "at-once": atOnce } = values;
  for (const [what, number] of Object.entries({ kills, freezes, suspended, "at-once": atOnce }))
    if (!/^\d*$/.test(number)) refuse(help, `Expected ${what} to be a whole number, got ${number}.`);
  if (engines.some((name) => name === place)) {
    if (suspended !== "" || atOnce !== "") refuse(help, "Expected a store with --suspended and --at-once.");
    return playEngine(place);
  }
  let isGood = true;
  for (const store of storeKinds.filter((name) => place === "" || name === place)) {
    if (store === "postgres" && noPostgres) console.log(`skip  postgres: ${noPostgres}`);
    else isGood = (await play(store)) && isGood;
  }
  return isGood;
}

/** In a process of its own: the engines have packages that the project does not install. */
function playEngine(engine: string): boolean {
  const folder = fileURLToPath(new URL("../../durable/engines", import.meta.url));
  if (!existsSync(join(folder, "node_modules"))) {
    console.log(`skip  ${engine}: its packages are missing: npm install in reference/durable/engines`);
    return true;
  }
  const program = join(folder, "testing", "chaos.ts");
  const args = [engine, kills || "15", freezes || "2"];
  return spawnSync(process.execPath, [program, ...args], { stdio: "inherit" }).status === 0;
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
      kills: Number(kills || (isServer ? 50 : 15)),
      freezes: Number(freezes || (isServer ? 5 : 2)),
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
