// Runs that follow the grammar are accepted; each way to break it is found, for the right requirement.

import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../reference/types.ts";
import { checkGrammar } from "./event-grammar.ts";

const message = { role: "assistant", content: "Hi." } as const;
const call = { id: "c", name: "look" };

/** Events from short words: `turn 1` sets the turn of what follows. */
function events(words: string): LoopEvent[] {
  let turn = 1;
  return words.split(/\s+/).flatMap((word, seq): LoopEvent[] => {
    const [type = "", number = "0"] = word.split(":");
    if (type === "turn_start" && number !== "0") turn = Number(number);
    const fields: Record<string, object> = {
      run_start: { session_id: "s", agent: "main" },
      run_end: { result: {} },
      model_end: { stop_reason: "end_turn" },
      message: { message },
      message_start: { index: Number(number), message },
      message_delta: { index: Number(number), delta: "x" },
      message_end: { index: Number(number) },
      tool_start: { ...call, id: `c${number}`, input: {} },
      tool_end: { ...call, id: `c${number}`, outcome: "ok" },
      tool_late_result: { ...call, id: `c${number}` },
      warning: { code: "id_mapped", message: "x" },
      resumed: { resumed: true },
    };
    const name = type === "resumed" ? "turn_start" : type;
    return [
      {
        type: name,
        seq,
        ...(name !== "run_start" && name !== "run_end" && { turn }),
        ...fields[type],
      } as unknown as LoopEvent,
    ];
  });
}

describe("accepted", () => {
  it.each([
    "run_start run_end",
    "run_start message turn_start model_start model_end message turn_end run_end",
    "run_start turn_start model_start message_start:0 message_delta:0 message_start:1 message_end:1 message_end:0 model_end message turn_end run_end",
    "run_start turn_start model_start model_end message tool_start:1 tool_start:2 tool_end:2 tool_end:1 message message turn_end turn_start:2 model_start model_end turn_end run_end",
    "run_start resumed tool_start:1 tool_end:1 message turn_end run_end",
    "run_start turn_start model_start warning model_end tool_start:1 tool_end:1 message turn_end tool_late_result:1 warning run_end",
  ])("%s", (words) => expect(checkGrammar(events(words))).toEqual([]));
});

describe("refused", () => {
  it.each([
    ["EVENT-1", "turn_start run_end"],
    ["EVENT-1", "run_start run_start run_end"],
    ["EVENT-2", "run_start turn_start model_start model_end turn_end"],
    ["EVENT-2", "run_start run_end warning"],
    ["EVENT-4", "run_start turn_start model_start model_end run_end"],
    ["EVENT-4", "run_start turn_start model_start model_end turn_start:2 turn_end run_end"],
    ["EVENT-4", "run_start turn_end run_end"],
    ["EVENT-4", "run_start turn_start model_start model_end turn_end message run_end"],
    [
      "EVENT-4",
      "run_start turn_start model_start model_end tool_start:1 tool_end:1 message tool_start:2 tool_end:2 turn_end run_end",
    ],
    ["EVENT-5", "run_start turn_start turn_end run_end"],
    ["EVENT-5", "run_start turn_start model_start turn_end run_end"],
    ["EVENT-5", "run_start turn_start model_end turn_end run_end"],
    ["EVENT-5", "run_start turn_start model_start model_end model_start model_end turn_end run_end"],
    ["EVENT-5", "run_start turn_start model_start message model_end turn_end run_end"],
    ["EVENT-5", "run_start resumed model_start model_end turn_end run_end"],
    ["EVENT-6", "run_start turn_start model_start message_start:0 model_end turn_end run_end"],
    ["EVENT-6", "run_start turn_start model_start message_delta:0 model_end turn_end run_end"],
    [
      "EVENT-6",
      "run_start turn_start model_start message_start:0 message_end:0 message_delta:0 model_end turn_end run_end",
    ],
    ["EVENT-6", "run_start turn_start model_start message_start:1 message_end:1 model_end turn_end run_end"],
    ["EVENT-6", "run_start turn_start model_start model_end message_start:0 message_end:0 turn_end run_end"],
    ["EVENT-8", "run_start turn_start model_start model_end tool_start:1 turn_end run_end"],
    ["EVENT-8", "run_start turn_start model_start model_end tool_end:1 turn_end run_end"],
    ["EVENT-8", "run_start turn_start model_start model_end tool_start:1 message tool_end:1 turn_end run_end"],
    ["EVENT-8", "run_start turn_start model_start model_end tool_start:1 tool_start:1 tool_end:1 turn_end run_end"],
    [
      "EVENT-12",
      "run_start turn_start model_start model_end tool_start:1 tool_late_result:1 tool_end:1 turn_end run_end",
    ],
  ])("%s: %s", (requirement, words) => expect(checkGrammar(events(words))[0]?.requirement).toBe(requirement));
  it("EVENT-3: a gap in seq, and an event that says another turn", () => {
    const gap = events("run_start run_end").map((event) => ({ ...event, seq: event.seq * 2 }));
    expect(checkGrammar(gap)[0]?.requirement).toBe("EVENT-3");
    const turn = events("run_start turn_start model_start model_end turn_end run_end").map((event) =>
      event.type === "model_end" ? { ...event, turn: 7 } : event,
    );
    expect(checkGrammar(turn)[0]?.requirement).toBe("EVENT-4");
  });
  it("EVENT-1: no events at all", () => expect(checkGrammar([])[0]?.requirement).toBe("EVENT-1"));
});
