// Ends after the turn in which a tool was called; what it returned is the output.

import { Agent, run, type Tool } from "@openai/agents";

export const untilSent = (model: string, tools: Tool[], input: string) =>
  run(new Agent({ name: "one", model, tools, toolUseBehavior: { stopAtToolNames: ["send"] } }), input);
