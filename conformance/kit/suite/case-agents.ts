// The agents of a case, whether it gives several by name or the parts of its only one.

import type { Agent, Case, Tool } from "../../../schemas/types.ts";

type Given = Case["given"];

/** What the only agent is called. */
const onlyAgent = "main";

/** The agents of the run by name. */
export function agentsOf({ agents, instructions, tools, model, settings }: Given): Record<string, Agent> {
  if (agents) return agents;
  const only: Agent = {
    name: onlyAgent,
    ...(instructions !== undefined && { instructions }),
    ...(tools && { tools }),
    ...(model !== undefined && { model }),
    ...(settings && { settings }),
  };
  return { [onlyAgent]: only };
}

/** The agents as they are sent to a driver, without the tools of a function: those are requested in every turn. */
export function agentsForDriver(given: Given): Record<string, Agent> {
  const agents = agentsOf(given);
  if (!given.dynamic_tools) return agents;
  return Object.fromEntries(Object.entries(agents).map(([name, { tools: _, ...agent }]) => [name, agent]));
}

/** The agents when the run is resumed. */
export function agentsOnResume(given: Given): Record<string, Agent> {
  const { tools_on_resume: tools } = given;
  return agentsForDriver(tools ? { ...given, tools } : given);
}

/** The name of the agent with which the run begins. */
export function firstAgent({ agent = onlyAgent }: Given): string {
  return agent;
}

/** The tools of every agent. */
export function toolsOf(given: Given): Tool[] {
  return Object.values(agentsOf(given)).flatMap(({ tools = [] }) => tools);
}
