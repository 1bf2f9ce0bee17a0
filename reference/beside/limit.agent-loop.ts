// At most five turns; the result says that the limit was reached.

import { agentLoop, type DefinedTool, type Provider } from "../index.ts";

export const limited = (provider: Provider, tools: DefinedTool[], input: string) =>
  agentLoop({ provider, tools, input, options: { max_turns: 5 } }).result;
