// At most five steps; that the limit was reached is to be seen from the finish reason.

import { generateText, isStepCount, type LanguageModel, type ToolSet } from "ai";

export const limited = (model: LanguageModel, tools: ToolSet, prompt: string) =>
  generateText({ model, tools, prompt, stopWhen: isStepCount(5) });
