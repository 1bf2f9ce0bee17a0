// Input to a run in progress: messages, another model.

import type { Ports } from "../../core/ports.ts";
import { count } from "../../state/counters.ts";
import type { Message } from "../../../schemas/types.ts";
import type { Plugin, Boundary } from "../plugin.ts";

export const steering: Plugin = {
  name: "steering",
  attach({ inbox }) {
    const append = appendSteering(inbox.steering);
    // Once more when all others have been asked: something may have been said meanwhile. [LOOP-54] [LOOP-141]
    return { betweenTurns: { beforeTurn: append, meanwhile: append, beforeEnd: append } };
  },
};

export const switchModel: Plugin = {
  name: "switch-model",
  attach: ({ inbox, emit }) => ({ betweenTurns: { beforeTurn: modelSwitch(inbox.takeWantedModel, emit) } }),
};

/** Appends the messages queued since the last turn; they do not continue a run that ends otherwise than completed. @see LOOP-16 LOOP-53 LOOP-54 */
function appendSteering(queue: Message[]): Boundary {
  return ({ ending }) => {
    const isAccepted = !ending || ending.status === "completed";
    return isAccepted && queue.length > 0 ? { do: "append", messages: queue.splice(0) } : { do: "continue" };
  };
}

/** Switches to the requested model, including one that the run had fallen back from. @see LOOP-66 EVENT-17 */
function modelSwitch(takeWanted: () => string | undefined, emit: Ports["emit"]): Boundary {
  return (state) => {
    const model = state.ending ? undefined : takeWanted();
    if (model === undefined) return { do: "continue" };
    count(state, "fallbacks", 0);
    emit({ type: "switch_model", turn: state.turn, model });
    return { do: "replace", by: { model } };
  };
}
