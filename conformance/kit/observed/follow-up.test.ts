// After which responses the loop has to say something before it may ask again.

import { expect, it } from "vitest";
import type { RunOptions, StopReason } from "../../../schemas/types.ts";
import type { ScriptedPart } from "../wire/codec.ts";
import { followUpOf } from "./follow-up.ts";

const text: ScriptedPart[] = [{ text: "Hello." }];
const call: ScriptedPart[] = [...text, { tool_call: { id: "a", name: "work", input: {} } }];
const output_format = { name: "form", schema: { type: "integer" } };

it.each<[string, ScriptedPart[], StopReason, RunOptions, boolean]>([
  ["a text", text, "end_turn", {}, false],
  ["a cut text that is not continued", text, "max_tokens", {}, false],
  ["a cut text that is continued", text, "max_tokens", { on_max_tokens: "continue" }, true],
  ["nothing", [], "end_turn", {}, false],
  ["nothing that is asked about", [], "end_turn", { on_empty: "retry" }, true],
  ["a text where a call was asked for", text, "end_turn", { tool_choice: "required" }, true],
  ["a text where a certain call was asked for", text, "end_turn", { tool_choice: { name: "work" } }, true],
  ["a text where no call was allowed", text, "end_turn", { tool_choice: "none" }, false],
  ["a text where another form was asked for", text, "end_turn", { output_format }, true],
  ["a call", call, "tool_use", { tool_choice: "required", output_format }, false],
  ["a refusal", text, "refusal", { tool_choice: "required", output_format }, false],
])("%s", (_, parts, stop_reason, options, expected) => {
  expect(followUpOf({ parts, stop_reason } as Parameters<typeof followUpOf>[0], options)).toBe(expected);
});
