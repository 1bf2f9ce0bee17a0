// Somebody is asked before anything is removed.

import { generateText, isStepCount, type LanguageModel, type ToolSet } from "ai";
import { isAllowed } from "./is-allowed.ts";

export const careful = (model: LanguageModel, tools: ToolSet, prompt: string) =>
  generateText({
    ...{ model, tools, prompt, stopWhen: isStepCount(20) },
    toolApproval: async ({ toolCall: { toolName } }) =>
      toolName !== "remove" ? "not-applicable" : (await isAllowed(toolName)) ? "approved" : "denied",
  });
