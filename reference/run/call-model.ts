// Calls the model for the response of a turn, and emits its stream and its warnings as events.

import type { InvokeModel, Ports } from "../core/ports.ts";

/** @param onTurn receives the turn before the model is called */
export function callModel(
  request: InvokeModel,
  onTurn: (turn: number) => void,
  emit: Ports["emit"],
  signal: AbortSignal,
): Ports["invokeModel"] {
  return async (turnRequest, turn) => {
    if (signal.aborted) return { messages: [], stop_reason: "interrupted" };
    onTurn(turn);
    const { attempts, ...response } = await request(turnRequest, {
      signal,
      onStream: (piece) =>
        emit(piece.type === "message_end" ? { type: piece.type, turn, index: piece.index } : { ...piece, turn }),
      warn: (code, message) => emit({ type: "warning", turn, code, message }),
    });
    return attempts ? { ...response, notes: { attempts } } : response;
  };
}
