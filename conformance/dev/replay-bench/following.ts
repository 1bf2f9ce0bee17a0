// How long a tape takes for a request, in a conversation that grows by a call and its result each time.

import type { Exchange, Fixture } from "../../../schemas/types.ts";
import { Tape } from "../../traffic/replay/tape.ts";
import { answerBody } from "./scenario.ts";

const path = "/v1/chat/completions";
const headers = { "content-type": "application/json", authorization: "Bearer key" };

/** The conversation with so many calls. */
function bodyAfter(calls: number): object {
  const turns = Array.from({ length: calls }, (_, at) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: `call_${at}`, type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
      ],
    },
    { role: "tool", tool_call_id: `call_${at}`, content: `It is ${at} °C in Paris, and it does not rain any more.` },
  ]);
  const question = { role: "user", content: "What is the weather in Paris, Rome and Oslo?" };
  return { model: "gpt-4.1", messages: [question, ...turns.flat()] };
}

/** Plays a conversation to a client that lays JSON out in another way. @returns milliseconds for each of its last requests, the median */
export function lastRequests(calls: number, rules: boolean): number {
  const bodies = Array.from({ length: calls }, (_, at) => bodyAfter(at));
  const exchanges = bodies.map((body): Exchange => {
    const request = { method: "POST", path, body };
    return { provider: "openai-chat", request, response: { status: 200, body: answerBody } };
  });
  const fixture: Fixture = { fixture: 1, origin: "crafted", why: "a benchmark", exchanges };
  const tape = new Tape(fixture, { name: "bench", rules });
  const times = bodies.map((payload) => {
    const body = Buffer.from(JSON.stringify(payload, null, 1));
    const began = performance.now();
    const taken = tape.take({ method: "POST", path, provider: "openai-chat", headers, body });
    if (!("taken" in taken)) throw new Error(tape.verdict.problems[0]?.message);
    return performance.now() - began;
  });
  const last = times.slice(-Math.min(40, calls)).toSorted((one, other) => one - other);
  return last[last.length >> 1]!;
}
