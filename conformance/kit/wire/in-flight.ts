// Knows what is under way on the wire: a barrier's answer takes another way, and says nothing of it.

import type { LoopEvent } from "../../../schemas/types.ts";

/** What the events of a run tell of the wire. Without events it is always quiet. */
export class WireTraffic {
  /** The runs that wait for the model, by their paths: the run itself is "". */
  readonly #asking = new Set<string>();
  #pieces = 0;

  /** How many runs wait for the model: each has a request on its way, is being answered, or has an answer on its way. */
  get asking(): number {
    return this.#asking.size;
  }

  /** How many pieces of answers the driver has reported while they were streamed. */
  get pieces(): number {
    return this.#pieces;
  }

  hear(event: LoopEvent, path = ""): void {
    switch (event.type) {
      case "subagent_event":
        return this.hear(event.event, `${path}/${event.id}`);
      case "model_start":
      case "wait_end":
        return void this.#asking.add(path);
      case "wait_start":
      case "model_end":
        return void this.#asking.delete(path);
      case "message_start":
      case "message_delta":
      case "message_end":
        this.#pieces += 1;
    }
  }
}
