// No more than half a dollar.

import { agentLoop, type Provider } from "../index.ts";
import prices from "../prices.json" with { type: "json" };

export const cheap = (provider: Provider, model: string, input: string) =>
  agentLoop({ provider, model, input, options: { budget: "0.50", prices } }).result;
