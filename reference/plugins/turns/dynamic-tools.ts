// Tools that are created for each turn.

import type { Boundary, Plugin } from "../plugin.ts";
import type { ResolvedAgents } from "../../tools/agents.ts";

export const dynamicTools: Plugin = {
  name: "dynamic-tools",
  attach({ agents, signal }) {
    if (Object.keys(agents.agents).some(agents.makes))
      return { betweenTurns: { beforeTurn: toolsOfTurn(agents, signal) } };
  },
};

/** Makes the tools once before each turn, however often the point is called. @see LOOP-79 */
function toolsOfTurn({ make }: ResolvedAgents, signal: AbortSignal): Boundary {
  let madeFor = 0;
  return async (state) => {
    const turn = state.turn + 1;
    if (state.ending || madeFor === turn) return { do: "continue" };
    madeFor = turn;
    const error = await make(state, turn, signal);
    return error ? { do: "end", ending: { status: "error", error } } : { do: "continue" };
  };
}
