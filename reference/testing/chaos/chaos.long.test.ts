// Runs whose workers are killed and stopped: a small form of `npm run chaos`, which takes minutes.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { storeKinds } from "../open-store.ts";
import { noPostgres } from "../postgres-server.ts";
import { campaign, storeSide } from "./campaign.ts";
import { crowd } from "./crowd.ts";
import { placeFor } from "./place.ts";

const kinds = storeKinds.filter((kind) => kind !== "postgres" || !noPostgres);
const none = { lost: [], twice: [], unreported: [], changed: [], atOnce: [] };

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "chaos-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

it.skipIf(!noPostgres)(`is played on postgres (skipped: ${noPostgres ?? "it is"})`, () => {});

describe.skipIf(process.platform === "win32").each(kinds)("workers on %s", (store) => {
  it(
    "are killed and stopped, and nothing is lost or done twice [JOURNAL-27 JOURNAL-29]",
    { timeout: 180_000 },
    async () => {
      const { where, end } = await placeFor(store, folder);
      const orders = {
        store,
        where,
        leaseMs: 1_500,
        notes: join(folder, "notes.jsonl"),
        pace: { model: 10, slow: 40, quick: 15 },
        atOnce: 20,
      };
      const plan = {
        notes: orders.notes,
        freezeMs: 3_000,
        kills: 3,
        freezes: 1,
        wave: 4,
        everyMs: 500,
        mostMs: 150_000,
      };
      const report = await campaign(await storeSide(orders), plan);
      await end();
      expect(report).toMatchObject({ kills: 3, freezes: 1, ...none });
      expect(report.runs).toBeGreaterThan(3);
    },
  );
});

it("all are killed while many runs wait, and every run ends", { timeout: 180_000 }, async () => {
  const report = await crowd({
    store: "sqlite",
    where: join(folder, "sessions.db"),
    leaseMs: 10_000,
    notes: join(folder, "notes.jsonl"),
    pace: { model: 0, slow: 0, quick: 0 },
    atOnce: 20,
    runs: 20,
    isKilled: true,
  });
  expect(report).toMatchObject({ runs: 20, interrupted: 0, ...none });
});
