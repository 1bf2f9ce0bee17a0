// Tracks what is in flight on the wire: the answer to a barrier takes another way, and does not show it.

import type { LoopEvent } from "../../../schemas/types.ts";

/** The state of the wire, as the events of a run show it. Without events, nothing is in flight. */
export class WireTraffic {
  /** The runs that wait for the model, by their paths: the run itself is "". */
  readonly #waiting = new Set<string>();
  #pieces = 0;

  /** How many runs wait for the model: their request or the answer to it is in flight. */
  get waitingRuns(): number {
    return this.#waiting.size;
  }

  /** How many pieces of answers the driver has reported while they were streamed. */
  get pieces(): number {
    return this.#pieces;
  }

  /** Called with each event of the run. */
  onEvent(event: LoopEvent, path = ""): void {
    switch (event.type) {
      case "subagent_event":
        return this.onEvent(event.event, `${path}/${event.id}`);
      case "model_start":
      case "wait_end":
        return void this.#waiting.add(path);
      case "wait_start":
      case "model_end":
        return void this.#waiting.delete(path);
      case "message_start":
      case "message_delta":
      case "message_end":
        this.#pieces += 1;
    }
  }
}
