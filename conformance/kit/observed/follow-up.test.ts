// After which responses the loop has to say something before it may ask again.

import { expect, it } from "vitest";
import type { RunOptions, StopReason } from "../../../schemas/types.ts";
import type { ScriptedPart } from "../wire/codec.ts";
import { followUpOf, isToGoOn, type FollowUp } from "./follow-up.ts";

const text: ScriptedPart[] = [{ text: "Hello." }];
const call: ScriptedPart[] = [...text, { tool_call: { id: "a", name: "work", input: {} } }];
const output_format = { name: "form", schema: { type: "integer" } };

it.each<[string, ScriptedPart[], StopReason, RunOptions, FollowUp | undefined]>([
  ["a text", text, "end_turn", {}, undefined],
  ["a cut text that is not continued", text, "max_tokens", {}, undefined],
  ["a cut text that is continued", text, "max_tokens", { on_max_tokens: "continue" }, "always"],
  ["nothing", [], "end_turn", {}, undefined],
  ["nothing that is asked about", [], "end_turn", { on_empty: "retry" }, "unless_spoken_to"],
  ["a text where a call was asked for", text, "end_turn", { tool_choice: "required" }, "unless_spoken_to"],
  [
    "a text where a certain call was asked for",
    text,
    "end_turn",
    { tool_choice: { name: "work" } },
    "unless_spoken_to",
  ],
  ["a text where no call was allowed", text, "end_turn", { tool_choice: "none" }, undefined],
  ["a text where another form was asked for", text, "end_turn", { output_format }, "unless_spoken_to"],
  ["a call", call, "tool_use", { tool_choice: "required", output_format }, undefined],
  ["a call that gives no output", call, "stop_sequence", { output_format }, "unless_spoken_to"],
  ["a call that is not executed", call, "stop_sequence", { tool_choice: "required" }, undefined],
  ["a refusal", text, "refusal", { tool_choice: "required", output_format }, undefined],
])("%s", (_, parts, stop_reason, options, expected) => {
  expect(followUpOf({ parts, stop_reason } as Parameters<typeof followUpOf>[0], options)).toBe(expected);
});

it.each<[string, ScriptedPart[], StopReason, boolean]>([
  ["a response that paused", text, "pause", true],
  ["one whose calls the loop has to execute first", call, "pause", false],
  ["a whole one", text, "end_turn", false],
])("what goes back at once: %s", (_, parts, stop_reason, expected) => {
  expect(isToGoOn({ parts, stop_reason } as Parameters<typeof isToGoOn>[0])).toBe(expected);
});
