// The work on each wire: how the model's answers look, and what a request says.

import { callIdOf, DONE, inputOf, textOf } from "./turn-script.ts";
import type { Scenario, Wire } from "./turn-script.ts";
import type { Fields } from "./measured-wire.ts";
import { measured } from "./wires.ts";

/** The answer to the request of a turn, as the text of its body. */
export function answerOf({ wire, transport, calls, turns }: Scenario, turn: number): string {
  const made = Array.from({ length: turn < turns ? calls : 0 }, (_, call) => ({
    id: callIdOf(turn, call),
    arguments: JSON.stringify(inputOf(turn, call)),
  }));
  const text = turn < turns ? textOf(turn) : DONE;
  return transport === "sse"
    ? measured[wire].answers.sse(text, made)
    : JSON.stringify(measured[wire].answers.json(text, made));
}

/** What a request says, in the words of `conversation`. */
export function readRequest(wire: Wire, body: string): string[] {
  return measured[wire].answers.read(JSON.parse(body) as Fields);
}
