// Finds what a snapshot has for its writer alone, and lets pass what somebody else has written.

import { expect, it } from "vitest";
import type { Case, Snapshot } from "../../../schemas/types.ts";
import type { Observation } from "../observed/observation.ts";
import { checkSnapshots } from "./snapshot.ts";

const observed = (snapshots: object[], patch?: object): Observation =>
  ({
    results: snapshots.map((snapshot) => ({ result: { status: "suspended", snapshot } as { snapshot: Snapshot } })),
    filled: { case: { given: patch ? { snapshot_on_resume: patch } : {} } as Case },
  }) as unknown as Observation;

it("finds fields and counters that are specified nowhere", () => {
  const found = checkSnapshots(observed([{ turn: 1, seen_ids: [], counters: { elapsed_ms: 1, rings: 2 } }]));
  expect(found.map(({ requirement, path }) => [requirement, path])).toEqual([
    ["LOOP-113", "/result/snapshot/seen_ids"],
    ["LOOP-113", "/result/snapshot/counters/rings"],
  ]);
});

it("lets pass names with a dot, and what the loop was handed", () => {
  expect(checkSnapshots(observed([{ "com.acme.ticket": 1, counters: { "com.acme.rings": 2 } }]))).toEqual([]);
  const handed = { stranger: {}, counters: { rings: 7 } };
  expect(checkSnapshots(observed([{ turn: 1 }, { stranger: {}, counters: { rings: 8 } }], handed))).toEqual([]);
  expect(checkSnapshots(observed([{ turn: 1 }, { stranger: {} }]))).toHaveLength(1);
});
