// Cancelled from outside; the result says so, and its session can be continued.

import { agentLoop, type DefinedTool, type Provider } from "../index.ts";

export const cancellable = (provider: Provider, tools: DefinedTool[], input: string, signal: AbortSignal) =>
  agentLoop({ provider, tools, input, signal }).result;
