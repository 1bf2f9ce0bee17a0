// The agents of a run: as they were given, as a model and a snapshot may see them, and what is wrong with them.

import type { AgentWithTools, RunSetup } from "../run/run.ts";
import type { State } from "../core/ports.ts";
import type { DefinedTool } from "./define-tool.ts";
import type { Agent, LoopError, Tool } from "../../schemas/types.ts";

/** An agent with the tools that it has now. */
export type PresentAgent = Omit<AgentWithTools, "tools"> & { tools?: DefinedTool[] };

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

/** What a model and a snapshot may see of an agent: no functions. */
export function definitionOf({ instructions, tools, ...agent }: PresentAgent): Agent {
  return {
    ...agent,
    ...(typeof instructions === "string" && { instructions }),
    ...(tools && { tools: tools.map(({ execute: _, subagent: _1, ...tool }: DefinedTool) => tool) }),
  };
}

/** A tool of an agent that has it. */
export function toolOf(agents: Record<string, Agent>, agent: string, name: string): Tool {
  return agents[agent]!.tools!.find((tool) => tool.name === name)!;
}

/** What is wrong with the agents, if anything is. @see LOOP-39 */
export function misconfigured({ agent: name }: State, agents: Record<string, PresentAgent>): LoopError | undefined {
  const agent = agents[name];
  if (agent) return wrongTool(agent, name);
  const message = `There is no agent ${JSON.stringify(name)}. Agents: ${Object.keys(agents).join(", ") || "none"}.`;
  return { kind: "configuration", message };
}

/** The first tool of an agent that cannot be told to a model, if there is one. @see LOOP-39 LOOP-81 */
export function wrongTool({ tools = [] }: PresentAgent, agent: string): LoopError | undefined {
  const names = new Set<string>();
  for (const { name, input_schema } of tools) {
    const problem = problemOf(name, input_schema, names);
    if (problem) return { kind: "configuration", message: `The agent ${agent} has ${problem}` };
    names.add(name);
  }
  return undefined;
}

function problemOf(name: unknown, schema: unknown, names: Set<string>): string | undefined {
  if (typeof name !== "string" || name === "") return `a tool whose name is ${JSON.stringify(name)}. Give it one.`;
  if (names.has(name)) return `two tools called ${name}. Give each tool a name of its own.`;
  if ((schema as { type?: unknown } | null | undefined)?.type === "object") return undefined;
  const came = JSON.stringify(schema) ?? "none";
  return `a tool ${name} whose input_schema is ${came}; expected a JSON Schema of an object, such as { type: "object" }.`;
}
