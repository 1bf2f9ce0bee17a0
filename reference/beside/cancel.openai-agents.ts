// Cancelled from outside; that is an exception.

import { Agent, run, type Tool } from "@openai/agents";

export const cancellable = (model: string, tools: Tool[], input: string, signal: AbortSignal) =>
  run(new Agent({ name: "one", model, tools }), input, { signal });
