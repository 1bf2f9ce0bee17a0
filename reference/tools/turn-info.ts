// The input of the caller's functions that are called in each turn.

import type { Session } from "../../schemas/types.ts";
import type { State } from "../core/ports.ts";
import { variablesOf } from "../state/context-variables.ts";
import type { DefinedTool } from "./define-tool.ts";

/** The state of the run when a function is called for the next request. */
export interface TurnInfo {
  /** The current context variables. A copy. @see LOOP-75 */
  context: Record<string, unknown>;
  /** The turn, counted from 1. */
  turn: number;
  /** The name of the active agent. */
  agent: string;
  /** The current session. Read-only. */
  session: Session;
}

/** @deprecated The old name of `TurnInfo`. */
export type ToldInTurn = TurnInfo;

/** Makes the instructions of a turn. An empty string: none. A function that throws ends the run. @see LOOP-78 */
export type MakeInstructions = (info: TurnInfo) => string | Promise<string>;

/**
 * Makes the tools of a turn. A function that throws ends the run. Create unchanged tools once and return them in the same
 * order: a provider can only reuse the prefix before the first difference.
 * @see LOOP-79 LOOP-81
 */
export type MakeTools = (info: TurnInfo) => DefinedTool[] | Promise<DefinedTool[]>;

/** @param turn the turn that is about to start */
export function turnInfo(state: State, turn: number): TurnInfo {
  const session = { ...state.session, messages: [...state.session.messages] };
  return { context: variablesOf(state), turn, agent: state.agent, session };
}
