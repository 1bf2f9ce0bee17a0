// What stands between a loop and the wire, one layer more from subject to subject.

import { nodeFetch } from "../providers/shared/node-fetch.ts";
import type { Message } from "../../schemas/types.ts";
import type { Bytes, Hand, Send } from "./measured-wire.ts";
import { measured } from "./wires.ts";
import { MAX_TOKENS, MODEL, readTool, SYSTEM, TASK, type Scenario } from "./turn-script.ts";
import type { ReadInput } from "./turn-script.ts";
import { floor, readSent, reference, type Subject } from "./turn-subjects.ts";

/** Node's client behind the interface of `fetch`. */
const fetched: Subject = (scenario, url) => {
  const { headers } = measured[scenario.wire].hand;
  return converseBy(scenario, (path, body) => nodeFetch(url + path, { method: "POST", headers, body }));
};

/** The SDK, which is given bytes and gives back the response as it came. */
const sdkTransport: Subject = (scenario, url) => {
  const post = measured[scenario.wire].send(url);
  return converseBy(scenario, (path, body) => post(path, body));
};

/** A loop by hand: each message is serialised once, and the bytes of all of them are sent again. */
function converseBy({ wire, transport }: Scenario, send: Send): ReturnType<Subject> {
  const hand: Hand = measured[wire].hand;
  const head = `${JSON.stringify(hand.body(transport)).slice(0, -1)},"${hand.list}":[`;
  return async (tool) => {
    const body = createBody(head + hand.first.map((message) => JSON.stringify(message)).join(","));
    for (;;) {
      const answer = await readSent(await send(hand.path(transport), body.endingWith("]}")), { wire, transport });
      if (answer.calls.length === 0) return answer.text;
      const results = hand.results(answer.calls.map(({ id, input }) => ({ id, output: tool(input) })));
      body.add([...answer.messages, ...results].map((message) => `,${JSON.stringify(message)}`).join(""));
    }
  };
}

/** The bytes of a body that grows: what was written stays where it is, as in the floor and in the adapters. */
function createBody(begin: string): { add(text: string): void; endingWith(text: string): Bytes } {
  const utf8 = new TextEncoder();
  let memory = new Uint8Array(16_384);
  let used = 0;
  const write = (text: string): number => {
    const bytes = utf8.encode(text);
    if (used + bytes.length > memory.length) {
      const larger = new Uint8Array((used + bytes.length) * 2);
      larger.set(memory.subarray(0, used));
      memory = larger;
    }
    memory.set(bytes, used);
    return used + bytes.length;
  };
  used = write(begin);
  return { add: (text) => void (used = write(text)), endingWith: (text) => memory.subarray(0, write(text)) };
}

/** The adapter: it renders what the session has, and reads an answer as messages. */
const adapter: Subject = ({ wire, transport }, url) => {
  const provider = measured[wire].adapter({ model: MODEL, max_tokens: MAX_TOKENS, transport, url });
  return async (tool) => {
    const messages: Message[] = [
      { role: "system", content: SYSTEM },
      { role: "user", content: TASK },
    ];
    const call = { signal: new AbortController().signal, onStream() {}, warn() {} };
    for (;;) {
      const response = await provider.invokeModel({ messages: [...messages], tools: [readTool] }, call);
      messages.push(...response.messages);
      const calls = response.messages.filter((message) => message.type === "tool_call");
      if (calls.length === 0) return response.messages.map(spoken).join("");
      for (const { id, input } of calls)
        messages.push({ type: "tool_result", id, output: tool(input as unknown as ReadInput), outcome: "ok" });
    }
  };
};

function spoken(message: Message): string {
  return message.role === "assistant" ? message.content : "";
}

/** From the wire up: each has what the one before it has, and one layer more. */
export const layers = {
  floor: { what: "the bare request over one connection", subject: floor },
  fetched: { what: "+ Node's client behind `fetch`", subject: fetched },
  sdkTransport: { what: "+ the SDK: headers, address, errors", subject: sdkTransport },
  adapter: { what: "+ the adapter: rendering, reading, checks", subject: adapter },
  reference: { what: "+ the loop: session, events, tools, plug-ins", subject: reference },
};
export type LayerName = keyof typeof layers;
