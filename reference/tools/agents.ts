// The agents of a run: as given, as resolved for the current turn, and their validation.

import type { Agent, LoopError, Tool } from "../../schemas/types.ts";
import type { State } from "../core/ports.ts";
import { raceAbort } from "../support/until-aborted.ts";
import { checkSchema } from "./check-schema.ts";
import type { DefinedTool } from "./define-tool.ts";
import { turnInfo, type MakeInstructions, type MakeTools, type TurnInfo } from "./turn-info.ts";

/** An agent whose tools have handlers. Its tools and its instructions may be created for each turn. */
export type AgentWithTools = Omit<Agent, "tools" | "instructions"> & {
  /** @see LOOP-4 LOOP-79 */
  tools?: DefinedTool[] | MakeTools;
  /** @see LOOP-2 LOOP-74 */
  instructions?: string | MakeInstructions;
};

/** An agent with its current tools. */
export type ResolvedAgent = Omit<AgentWithTools, "tools"> & { tools?: DefinedTool[] };

/** The current agents of a run. */
export interface ResolvedAgents {
  /** As given by the caller. */
  given: Record<string, AgentWithTools>;
  /** By name. New tools of an agent make a new object. */
  agents: Record<string, ResolvedAgent>;
  /** The same for models and snapshots. */
  definitions: Record<string, Agent>;
  /** A tool of an agent, if it has it. Takes constant time. */
  tool(agent: string, name: string): DefinedTool | undefined;
  /** Whether the tools of an agent are made by a function. */
  makes(agent: string): boolean;
  /** Makes the tools of the active agent, if a function does. Never throws. @returns the problem with them, if any */
  make(state: State, turn: number, signal: AbortSignal): Promise<LoopError | undefined>;
}

/** Either `agents`, or the fields of a single agent. */
export interface GivenAgents extends Partial<Omit<AgentWithTools, "name">> {
  agents?: Record<string, AgentWithTools>;
  agent?: string;
}

/** Why agents cannot be given in this way, if they cannot: what nobody would read is refused. @see LOOP-39 */
export function mixedAgents({ agents, ...given }: GivenAgents): LoopError | undefined {
  if (!agents) return undefined;
  const field = ofOneAgent.find((name) => given[name] !== undefined);
  if (field === undefined) return undefined;
  const message = `${field}: expected agents, or the fields of a single agent, got both. Move ${field} into the agent that it is for.`;
  return { kind: "configuration", message };
}

/** The fields that are for a single agent. */
const ofOneAgent = ["instructions", "model", "settings", "tools"] as const;

/** The agents by name; a single agent is given by its fields. */
export function agentsOf({
  agents,
  agent = "main",
  instructions,
  model,
  settings,
  tools,
}: GivenAgents): Record<string, AgentWithTools> {
  const only: AgentWithTools = {
    name: agent,
    ...(instructions !== undefined && { instructions }),
    ...(model !== undefined && { model }),
    ...(settings && { settings }),
    ...(tools && { tools }),
  };
  return agents ?? { [agent]: only };
}

/** The agents before any function was called: the tools it makes are still missing. */
export function resolveAgents(given: Record<string, AgentWithTools>): ResolvedAgents {
  const resolved = Object.entries(given).map(([name, agent]) => [name, withoutFunction(agent)] as const);
  const agents: Record<string, ResolvedAgent> = Object.fromEntries(resolved);
  const definitions = Object.fromEntries(resolved.map(([name, agent]) => [name, definitionOf(agent)]));
  const makes = (name: string) => typeof given[name]?.tools === "function";
  const byName = new WeakMap<ResolvedAgent, Map<string, DefinedTool>>();

  function tool(name: string, called: string): DefinedTool | undefined {
    const agent = agents[name]!;
    let tools = byName.get(agent);
    if (!tools) byName.set(agent, (tools = new Map((agent.tools ?? []).map((one) => [one.name, one]))));
    return tools.get(called);
  }

  async function make(state: State, turn: number, signal: AbortSignal): Promise<LoopError | undefined> {
    const { tools } = given[state.agent] ?? {};
    if (typeof tools !== "function") return undefined;
    try {
      const made = await raceAbort(listOf(tools, turnInfo(state, turn)), signal, () => undefined);
      if (!made) return undefined; // cancelled: the core handles that
      const agent: ResolvedAgent = { ...given[state.agent]!, tools: made };
      agents[state.agent] = agent;
      definitions[state.agent] = definitionOf(agent);
      return wrongTool(agent, state.agent) ?? missingSubagent({ [state.agent]: agent }, given);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { kind: "configuration", message: `The function that makes the tools of ${state.agent} failed: ${why}` };
    }
  }

  return { given, agents, definitions, tool, makes, make };
}

/** An agent for models and snapshots: without functions. */
export function definitionOf({ instructions, tools, ...agent }: ResolvedAgent): Agent {
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

/** The problem with the agents, if any. @see LOOP-39 */
export function misconfigured({ agent: name }: State, agents: Record<string, ResolvedAgent>): LoopError | undefined {
  const agent = agents[name];
  if (agent) return wrongTool(agent, name) ?? wrongSchema(agents, name);
  const message = `There is no agent ${JSON.stringify(name)}. Agents: ${Object.keys(agents).join(", ") || "none"}.`;
  return { kind: "configuration", message };
}

/** The error of a tool whose agent is not defined. @param known the agents of the run @see SUBAGENT-3 */
export function missingSubagent(
  agents: Record<string, ResolvedAgent>,
  known: Record<string, unknown> = agents,
): LoopError | undefined {
  for (const { name, tools = [] } of Object.values(agents)) {
    for (const { name: tool, agent, subagent } of tools) {
      const defined = subagent?.agents ?? known;
      if (agent === undefined || Object.hasOwn(defined, agent)) continue;
      const names = Object.keys(defined).join(", ");
      const message = `The tool ${tool} of agent ${name} refers to agent ${JSON.stringify(agent)}, which is not defined. Agents: ${names}.`;
      return { kind: "configuration", message };
    }
  }
  return undefined;
}

/** The error of the first tool that cannot be declared to a model, if any. @see LOOP-39 LOOP-81 */
export function wrongTool({ tools = [] }: ResolvedAgent, agent: string): LoopError | undefined {
  const names = new Set<string>();
  for (const { name, input_schema } of tools) {
    const problem = problemOf(name, input_schema, names);
    if (problem) return { kind: "configuration", message: `The agent ${agent} has ${problem}` };
    names.add(name);
  }
  return undefined;
}

/** An agent that takes over later is not to find out then. The schemas of the `first` were checked. @see TOOL-43 */
function wrongSchema(agents: Record<string, ResolvedAgent>, first: string): LoopError | undefined {
  for (const [agent, { tools = [] }] of Object.entries(agents)) {
    if (agent === first) continue;
    for (const { name, input_schema } of tools) {
      const problem = checkSchema(input_schema);
      if (!problem) continue;
      const message = `The agent ${agent} has a tool ${name} whose input_schema cannot be obeyed: ${problem.pointer} ${problem.message}.`;
      return { kind: "configuration", message };
    }
  }
  return undefined;
}

function problemOf(name: unknown, schema: unknown, names: Set<string>): string | undefined {
  if (typeof name !== "string" || name === "")
    return `a tool whose name is ${JSON.stringify(name)}; expected a string that is not empty.`;
  if (names.has(name)) return `two tools called ${name}. Rename one of them.`;
  if ((schema as { type?: unknown } | null | undefined)?.type === "object") {
    const problem = checkSchema(schema as Record<string, unknown>);
    return problem && `a tool ${name} whose input_schema cannot be obeyed: ${problem.pointer} ${problem.message}.`;
  }
  const actual = JSON.stringify(schema) ?? "none";
  return `a tool ${name} whose input_schema is ${actual}; expected a JSON Schema of an object, such as { type: "object" }.`;
}

function withoutFunction({ tools, ...agent }: AgentWithTools): ResolvedAgent {
  return { ...agent, ...(Array.isArray(tools) && { tools }) };
}

/** A copy: the list belongs to the caller. */
async function listOf(makeTools: MakeTools, info: TurnInfo): Promise<DefinedTool[]> {
  const made: unknown = await makeTools(info);
  if (Array.isArray(made)) return [...(made as DefinedTool[])];
  throw new Error(`expected a list of tools, got ${JSON.stringify(made)}`);
}

/** Whether calls of a tool run an agent. A tool with a handler runs its agent itself. */
export function isSubagent(tool: DefinedTool | undefined): tool is DefinedTool & { agent: string } {
  return tool?.agent !== undefined && !tool.execute;
}
