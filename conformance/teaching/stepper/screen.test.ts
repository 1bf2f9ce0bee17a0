// What a person reads of a transition in a terminal: every line fits, and nothing that was said acts.

import { describe, expect, it } from "vitest";
import { readSession } from "./read-session.ts";
import { transitionLines } from "./screen.ts";
import { transitionsOf } from "./transitions.ts";

const session = {
  spec_version: "1.0",
  id: "s",
  messages: [
    { role: "user" as const, content: "What is the weather in Paris?" },
    { type: "tool_call" as const, id: "a", name: "get_weather", input: { city: "Paris" } },
    { type: "tool_result" as const, id: "a", output: "18 °C\u001b[2J", outcome: "ok" as const },
  ],
};
const style = { color: false, columns: 60, most: 12 };

describe("the lines of a transition", () => {
  it("say where it leads, why, what was sent and what came back", async () => {
    const transitions = transitionsOf(await readSession("s.json", session));
    const lines = transitionLines(transitions[3]!, transitions.length, style);
    expect(lines[0]).toBe("4/4  executing → turn_boundary");
    expect(lines[1]).toBe("(executing) [turn_boundary]");
    expect(lines[2]).toBe("agent main · turn 1 · messages 2 → 3 · open calls 1 → 0");
    expect(lines).toContain("SESSION-6     one result for each call");
    expect(lines).toContain('call       get_weather {"city":"Paris"}  [a]');
    expect(lines).toContain("result     18 °C  [a · ok]");
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
  });

  it("show all states where there is room", async () => {
    const [first] = transitionsOf(await readSession("s.json", session));
    const [, machine] = transitionLines(first!, 1, { ...style, columns: 100 });
    expect(machine).toBe("(turn_boundary) [calling_model]  deciding   suspended   executing   done ");
  });

  it("are coloured where that is wanted", async () => {
    const [first] = transitionsOf(await readSession("s.json", session));
    expect(transitionLines(first!, 1, { ...style, color: true }).join("\n")).toContain("\u001b[7m[calling_model]");
  });
});
