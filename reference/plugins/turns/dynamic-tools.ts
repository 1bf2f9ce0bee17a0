// Tools that are made anew in every turn: the agents of a run, each with the tools that it has now. Plugs into `boundary`.

import type { AgentWithTools } from "../../run/run.ts";
import { definitionOf, wrongTool, type PresentAgent } from "../../tools/agents.ts";
import type { Boundary } from "./steering.ts";
import type { State } from "../../core/ports.ts";
import type { DefinedTool } from "../../tools/define-tool.ts";
import { orAborted } from "../../support/until-aborted.ts";
import { nobodyToCall } from "../tools/subagents.ts";
import { toldIn, type ToldInTurn } from "../../tools/turn-info.ts";
import type { Agent, LoopError } from "../../../schemas/types.ts";

/**
 * Makes the tools of a turn. A function that throws ends the run. What does not change should be made once and given again,
 * in the same order: a provider can only reuse what stands in front of the first difference.
 * @see LOOP-79 LOOP-81
 */
export type MakeTools = (told: ToldInTurn) => DefinedTool[] | Promise<DefinedTool[]>;

/** The agents of a run as they are now. */
export interface PresentAgents {
  /** By name. The entry of an agent whose tools were made anew is another object. */
  agents: Record<string, PresentAgent>;
  /** The same for models and snapshots. */
  definitions: Record<string, Agent>;
  /** Whether the tools of an agent are made by a function. */
  makes(agent: string): boolean;
  /** Makes the tools of the active agent, if a function does. Never throws. @returns what is wrong with them, if anything is */
  make(state: State, turn: number, signal: AbortSignal): Promise<LoopError | undefined>;
}

/** The agents before any function was asked: what a function makes is not there yet. */
export function presentAgents(given: Record<string, AgentWithTools>): PresentAgents {
  const present = Object.entries(given).map(([name, agent]) => [name, withoutFunction(agent)] as const);
  const agents: Record<string, PresentAgent> = Object.fromEntries(present);
  const definitions = Object.fromEntries(present.map(([name, agent]) => [name, definitionOf(agent)]));
  const makes = (name: string) => typeof given[name]?.tools === "function";

  async function make(state: State, turn: number, signal: AbortSignal): Promise<LoopError | undefined> {
    const { tools } = given[state.agent] ?? {};
    if (typeof tools !== "function") return undefined;
    try {
      const made = await orAborted(listOf(tools, toldIn(state, turn)), signal, () => undefined);
      if (!made) return undefined; // cancelled: the core sees that itself
      const agent: PresentAgent = { ...given[state.agent]!, tools: made };
      agents[state.agent] = agent;
      definitions[state.agent] = definitionOf(agent);
      return wrongTool(agent, state.agent) ?? nobodyToCall({ [state.agent]: agent }, given);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { kind: "configuration", message: `The function that makes the tools of ${state.agent} failed: ${why}` };
    }
  }

  return { agents, definitions, makes, make };
}

/** Makes the tools before each turn, once, however often the point is asked. None where no agent has such a function. @see LOOP-79 */
export function toolsOfTurn({ agents, makes, make }: PresentAgents, signal: AbortSignal): Boundary[] {
  if (!Object.keys(agents).some(makes)) return [];
  let madeFor = 0;
  return [
    async (state) => {
      const turn = state.turn + 1;
      if (state.ending || madeFor === turn) return { do: "continue" };
      madeFor = turn;
      const error = await make(state, turn, signal);
      return error ? { do: "end", ending: { status: "error", error } } : { do: "continue" };
    },
  ];
}

function withoutFunction({ tools, ...agent }: AgentWithTools): PresentAgent {
  return { ...agent, ...(Array.isArray(tools) && { tools }) };
}

/** As a list of our own: the one that was made is the caller's. */
async function listOf(makeTools: MakeTools, told: ToldInTurn): Promise<DefinedTool[]> {
  const made: unknown = await makeTools(told);
  if (Array.isArray(made)) return [...(made as DefinedTool[])];
  throw new Error(`expected a list of tools, got ${JSON.stringify(made)}`);
}
