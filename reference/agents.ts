// The agents of a run: as they were given, as a model and a snapshot may see them, and what is wrong with them.

import type { AgentWithTools, RunSetup } from "./agent-loop.ts";
import type { State } from "./core/ports.ts";
import type { DefinedTool } from "./define-tool.ts";
import type { Agent, LoopError, Tool } from "./types.ts";

/** The agents by name; of a single agent only its fields were given. */
export function agentsOf({
  agents,
  agent = "main",
  instructions,
  model,
  settings,
  tools,
}: RunSetup): Record<string, AgentWithTools> {
  const only: AgentWithTools = {
    name: agent,
    ...(instructions !== undefined && { instructions }),
    ...(model !== undefined && { model }),
    ...(settings && { settings }),
    ...(tools && { tools }),
  };
  return agents ?? { [agent]: only };
}

/** What a model and a snapshot may see of the agents: no functions. */
export function definitionsOf(agents: Record<string, AgentWithTools>): Record<string, Agent> {
  const definitionOf = ({ instructions, tools, ...agent }: AgentWithTools): Agent => ({
    ...agent,
    ...(typeof instructions === "string" && { instructions }),
    ...(tools && { tools: tools.map(({ execute: _, subagent: _1, ...tool }: DefinedTool) => tool) }),
  });
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, definitionOf(agent)]));
}

/** A tool of an agent that has it. */
export function toolOf(agents: Record<string, Agent>, agent: string, name: string): Tool {
  return agents[agent]!.tools!.find((tool) => tool.name === name)!;
}

/** What is wrong with the agents, if anything is. @see LOOP-39 */
export function misconfigured(state: State, agents: Record<string, AgentWithTools>): LoopError | undefined {
  const agent = agents[state.agent];
  const names = agent?.tools?.map(({ name }) => name) ?? [];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (agent && twice === undefined) return undefined;
  const message = agent
    ? `The agent ${state.agent} has two tools called ${twice}. Give each tool a name of its own.`
    : `There is no agent ${JSON.stringify(state.agent)}. Agents: ${Object.keys(agents).join(", ") || "none"}.`;
  return { kind: "configuration", message };
}
