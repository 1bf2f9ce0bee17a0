// Strategies in layers: which one is asked, and whose answer is used.

import { describe, expect, it } from "vitest";

import { AT, calls, replacements, run, save, says, scripted, warnings } from "../../testing/long-calls.ts";
import type { Message } from "../../../schemas/types.ts";
import { layered, truncateOld, type CompactionStrategy } from "./layered.ts";

const LAYERS = { strategy: "layers", at_tokens: AT, keep_last_turns: 1 };
const note: Message = { role: "user", content: "It was saved.", synthetic: true, compacted: true };

/** A few tokens too many, so that the first turn is enough to leave out; and far too many. */
const SOME = AT - 100;
const MANY = 2 * AT;

const called: string[] = [];

function own(name: string, compact: CompactionStrategy["compact"]): CompactionStrategy {
  const noting: CompactionStrategy["compact"] = (task) => {
    called.push(name);
    return compact(task);
  };
  return { name, compact: noting };
}

const declines = (name: string) => own(name, () => undefined);
const leavesOut = (name: string) => own(name, ({ keepFrom }) => ({ from: 1, to: keepFrom, messages: [note] }));

async function withLayers(tokens: number, ...strategies: CompactionStrategy[]) {
  called.length = 0;
  const provider = scripted(calls("a", 1), calls("b", tokens), says("Done."));
  const outcome = await run(provider, LAYERS, { compactWith: [layered("layers", strategies)], tools: [save] });
  return { told: replacements(outcome), codes: warnings(outcome).map(({ code }) => code) };
}

describe("layers", () => {
  it("end with the first one that is enough", async () => {
    const { told, codes } = await withLayers(SOME, declines("one"), leavesOut("two"), leavesOut("three"));
    expect([called, codes]).toEqual([["one", "two"], []]);
    expect(told).toMatchObject([{ strategy: "layers", messages: [note] }]);
  });

  it("use the last one that wanted anything where none is enough", async () => {
    const { told } = await withLayers(MANY, truncateOld, leavesOut("two"), declines("three"));
    expect(called).toEqual(["two", "three"]);
    expect(told).toMatchObject([{ strategy: "layers", messages: [note] }]);
  });

  it("have nothing to do where none of them has", async () => {
    expect(await withLayers(MANY, declines("one"))).toEqual({ told: [], codes: [] });
  });

  it("have failed where one of them has", async () => {
    const broken = own("broken", () => {
      throw new Error("no disk");
    });
    expect(await withLayers(MANY, broken, truncateOld)).toEqual({ told: [], codes: ["compaction_failed"] });
  });
});
