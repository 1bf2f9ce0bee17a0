// Cancelled from outside; that is an exception.

import { generateText, type LanguageModel, type ToolSet } from "ai";

export const cancellable = (model: LanguageModel, tools: ToolSet, prompt: string, abortSignal: AbortSignal) =>
  generateText({ model, tools, prompt, abortSignal });
