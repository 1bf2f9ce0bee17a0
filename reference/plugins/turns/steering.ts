// What reaches a run from outside while it is under way: something to say, another model.

import type { Ports } from "../../core/ports.ts";
import { count } from "../../state/counters.ts";
import type { Message } from "../../../schemas/types.ts";
import type { Plugin, Boundary } from "../plugin.ts";

export const steering: Plugin = {
  name: "steering",
  attach: ({ inbox }) => ({ betweenTurns: { beforeTurn: appendSteering(inbox.steering) } }),
};

export const switchModel: Plugin = {
  name: "switch-model",
  attach: ({ inbox, emit }) => ({ betweenTurns: { beforeTurn: modelSwitch(inbox.takeWantedModel, emit) } }),
};

/** Appends the messages that were queued since the last turn; a run that ends otherwise than completed is not kept from it. @see LOOP-16 LOOP-53 LOOP-54 */
function appendSteering(queue: Message[]): Boundary {
  return ({ ending }) => {
    const isHeard = !ending || ending.status === "completed";
    return isHeard && queue.length > 0 ? { do: "append", messages: queue.splice(0) } : { do: "continue" };
  };
}

/** Asks the model that the run was told to switch to, also the one that it had fallen back from. @see LOOP-66 EVENT-17 */
function modelSwitch(takeWanted: () => string | undefined, emit: Ports["emit"]): Boundary {
  return (state) => {
    const model = state.ending ? undefined : takeWanted();
    if (model === undefined) return { do: "continue" };
    count(state, "fallbacks", 0);
    emit({ type: "switch_model", turn: state.turn, model });
    return { do: "replace", by: { model } };
  };
}
