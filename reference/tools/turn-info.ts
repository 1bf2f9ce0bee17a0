// What a function of the caller is told that is asked anew in every turn.

import { variablesOf } from "../plugins/tools/context-variables.ts";
import type { State } from "../core/ports.ts";
import type { Session } from "../../schemas/types.ts";

/** The run as it is when a function is asked what the next request is to have. */
export interface ToldInTurn {
  /** The context variables as they are now. A copy. @see LOOP-75 */
  context: Record<string, unknown>;
  /** The turn, counted from 1. */
  turn: number;
  /** The name of the active agent. */
  agent: string;
  /** The session as it is now. To be read only. */
  session: Session;
}

/** What there is to be told in a turn. */
export function toldIn(state: State, turn: number): ToldInTurn {
  const session = { ...state.session, messages: [...state.session.messages] };
  return { context: variablesOf(state), turn, agent: state.agent, session };
}
