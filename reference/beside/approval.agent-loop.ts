// Somebody is asked before anything is removed.

import { agentLoop, type DefinedTool, type Provider } from "../index.ts";
import { isAllowed } from "./is-allowed.ts";

export const careful = (provider: Provider, tools: DefinedTool[], input: string) =>
  agentLoop({
    ...{ provider, tools, input, options: { permissions: { rules: [{ effect: "ask", match: "remove" }] } } },
    approve: async ({ name }) => ((await isAllowed(name)) ? { action: "approve" } : { action: "deny" }),
  }).orThrow();
