// What a function of the caller is told that is asked anew in every turn.

import type { Session } from "../../schemas/types.ts";
import type { State } from "../core/ports.ts";
import { variablesOf } from "../state/context-variables.ts";
import type { DefinedTool } from "./define-tool.ts";

/** The run as it is when a function is asked what the next request is to have. */
export interface TurnInfo {
  /** The context variables as they are now. A copy. @see LOOP-75 */
  context: Record<string, unknown>;
  /** The turn, counted from 1. */
  turn: number;
  /** The name of the active agent. */
  agent: string;
  /** The session as it is now. To be read only. */
  session: Session;
}

/** @deprecated The old name of `TurnInfo`. */
export type ToldInTurn = TurnInfo;

/** Makes the instructions of a turn. An empty text: none. A function that throws ends the run. @see LOOP-78 */
export type MakeInstructions = (info: TurnInfo) => string | Promise<string>;

/**
 * Makes the tools of a turn. A function that throws ends the run. What does not change should be made once and given again,
 * in the same order: a provider can only reuse what stands in front of the first difference.
 * @see LOOP-79 LOOP-81
 */
export type MakeTools = (info: TurnInfo) => DefinedTool[] | Promise<DefinedTool[]>;

/** @param turn the one that is about to begin */
export function turnInfo(state: State, turn: number): TurnInfo {
  const session = { ...state.session, messages: [...state.session.messages] };
  return { context: variablesOf(state), turn, agent: state.agent, session };
}
