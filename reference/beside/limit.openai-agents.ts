// At most five turns; that the limit was reached is an exception.

import { Agent, run, type Tool } from "@openai/agents";

export const limited = (model: string, tools: Tool[], input: string) =>
  run(new Agent({ name: "one", model, tools }), input, { maxTurns: 5 });
