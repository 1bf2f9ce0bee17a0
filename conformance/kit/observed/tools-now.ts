// Knows which tools there are at a moment of a run.

import type { Tool } from "../../../schemas/types.ts";
import { agentsOf } from "../suite/case-agents.ts";
import { mcpToolsOf } from "../suite/mcp-tools.ts";
import type { Observation } from "./observation.ts";

/** The tools that an agent has now; without a name, the active one. */
export function toolsNow(seen: Observation, agent = seen.expected.after.agent): readonly Tool[] {
  const { given } = seen.filled.case;
  const own = given.dynamic_tools ? seen.toolsets.at(-1)?.tools : agentsOf(given)[agent]?.tools;
  return [...(own ?? []), ...mcpToolsOf(given, seen.mcpListed)];
}
