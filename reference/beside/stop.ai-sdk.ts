// Ends after the step in which a tool was called.

import { generateText, hasToolCall, type LanguageModel, type ToolSet } from "ai";

export const untilSent = (model: LanguageModel, tools: ToolSet, prompt: string) =>
  generateText({ model, tools, prompt, stopWhen: hasToolCall("send") });
