// Code of the caller before a call: a guardrail of the tool, which may answer instead.

import { defineToolInputGuardrail, ToolGuardrailFunctionOutputFactory } from "@openai/agents";

export const onlyNotes = defineToolInputGuardrail({
  name: "only_notes",
  run: async ({ toolCall }) =>
    toolCall.name === "remove"
      ? ToolGuardrailFunctionOutputFactory.rejectContent("The notes are not yours.")
      : ToolGuardrailFunctionOutputFactory.allow(),
});
