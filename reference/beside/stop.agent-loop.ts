// Ends after the turn in which a tool was called; the result names the condition.

import { agentLoop, type DefinedTool, type Provider } from "../index.ts";

export const untilSent = (provider: Provider, tools: DefinedTool[], input: string) =>
  agentLoop({ provider, tools, input, options: { stop_when: [{ tool_called: "send" }] } }).result;
