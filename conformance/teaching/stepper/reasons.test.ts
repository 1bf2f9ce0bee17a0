// The table of reasons names sentences that are there and bind the loop, and explains every row of the stop table.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stopTable } from "../../../reference/core/stop-table.ts";
import type { Message, StopReason } from "../../../schemas/types.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { edges, field, states } from "./machine.ts";
import { playScript } from "./play-script.ts";
import { reasons } from "./reasons.ts";
import { transitionsOf } from "./transitions.ts";

const { requirements } = JSON.parse(readFileSync(packagePath("spec/requirements.json"), "utf8")) as {
  requirements: { id: string; actor: string }[];
};
const actors = new Map(requirements.map(({ id, actor }) => [id, actor]));
const prompt: Message = { role: "user", content: "Go." };
const text: Message = { role: "assistant", content: "Well." };
const call: Message = { type: "tool_call", id: "a", name: "look", input: {} };

describe("the table of reasons", () => {
  it("names requirements that bind the loop", () => {
    const strange = reasons.filter(([, requirement]) => actors.get(requirement) !== "loop");
    expect(strange).toEqual([]);
  });

  it("is about transitions of the machine, and about each", () => {
    for (const [on] of reasons) for (const edge of on) expect(edges).toHaveProperty([edge]);
    const explained = (edge: string) => reasons.some(([on]) => (on as readonly string[]).includes(edge));
    expect(Object.keys(edges).filter((edge) => !explained(edge))).toEqual([]);
  });

  const rows = Object.keys(stopTable).flatMap((stop) =>
    (["calls", "no_calls"] as const).map((kind): [StopReason, typeof kind] => [stop as StopReason, kind]),
  );
  it.each(rows)("says why after %s with %s", async (stop_reason, kind) => {
    const messages = kind === "calls" ? [text, call] : [text];
    const turn = { response: { messages, stop_reason }, results: [], later: [] };
    const script = {
      id: "s",
      agent: "main",
      options: { max_truncation_recoveries: 0 },
      runs: [{ history: [prompt], turns: [turn] }],
    };
    const played = await playScript(script);
    const transitions = transitionsOf({ title: "", notes: [], before: [prompt], ...played });
    const decided = transitions.find(({ from }) => from.phase === "deciding")!;
    const row = stopTable[stop_reason][kind];
    expect(decided.to.phase).toBe(
      { execute: "executing", fail: "done", finish: "turn_boundary", recover: "turn_boundary" }[row.do],
    );
    const chosen = decided.decided.filter(
      ({ requirement }) => requirement.startsWith("LOOP-") && requirement !== "LOOP-27",
    );
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen.every(({ text: sentence }) => sentence.startsWith("The loop "))).toBe(true);
    if (kind === "calls" && row.do !== "execute")
      expect(decided.appended).toMatchObject([
        { type: "tool_result", outcome: "answer" in row ? row.answer : undefined },
      ]);
  });
});

describe("the machine", () => {
  it("is the one of the spec", () => {
    const chapter = readFileSync(packagePath("spec/loop/loop.md"), "utf8");
    const drawn = [...chapter.matchAll(/^ {2}(\w+) --> (\w+): (.+)$/gm)];
    expect(drawn.length).toBeGreaterThan(8);
    for (const [, from, to, when] of drawn)
      expect(edges).toHaveProperty([`${from}>${to}`], expect.objectContaining({ when }));
    const listed = [...chapter.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name!);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(states)));
  });

  it("stands inside its field, each box apart from the others", () => {
    const { width, height, box } = field;
    const boxes = Object.values(states);
    for (const { x, y } of boxes) {
      expect(x - box.width / 2).toBeGreaterThan(0);
      expect(x + box.width / 2).toBeLessThan(width);
      expect(y - box.height / 2).toBeGreaterThan(0);
      expect(y + box.height / 2).toBeLessThan(height);
      const near = boxes.filter((other) => Math.abs(other.x - x) < box.width && Math.abs(other.y - y) < box.height);
      expect(near).toHaveLength(1);
    }
  });
});
