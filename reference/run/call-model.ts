// Asks the model for the response of a turn: what its stream and its warnings become.

import type { InvokeModel, Ports } from "../core/ports.ts";

/** @param onTurn is told which turn it is, before anything else */
export function callModel(
  request: InvokeModel,
  onTurn: (turn: number) => void,
  emit: Ports["emit"],
  signal: AbortSignal,
): Ports["invokeModel"] {
  return async (asked, turn) => {
    if (signal.aborted) return { messages: [], stop_reason: "interrupted" };
    onTurn(turn);
    const { attempts, ...response } = await request(asked, {
      signal,
      onStream: (piece) =>
        emit(piece.type === "message_end" ? { type: piece.type, turn, index: piece.index } : { ...piece, turn }),
      warn: (code, message) => emit({ type: "warning", turn, code, message }),
    });
    return attempts ? { ...response, notes: { attempts } } : response;
  };
}
