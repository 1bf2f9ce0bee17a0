// What stands between a loop and the wire, one layer more from subject to subject.

import { Anthropic } from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { connect, sendThrough } from "../providers/gemini/sdk.ts";
import { nodeFetch } from "../providers/shared/node-fetch.ts";
import type { Message } from "../../schemas/types.ts";
import { hands, type Hand } from "./turn-hand.ts";
import { MAX_TOKENS, MODEL, readTool, SYSTEM, TASK, type Scenario, type Wire } from "./turn-script.ts";
import type { ReadInput } from "./turn-script.ts";
import { floor, providers, readSent, reference, type Subject } from "./turn-subjects.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Send = (path: string, body: Bytes) => Promise<Response>;

/** Node's client behind the interface of `fetch`. */
const fetched: Subject = (scenario, url) => {
  const { headers } = hands[scenario.wire];
  return converseBy(scenario, (path, body) => nodeFetch(url + path, { method: "POST", headers, body }));
};

/** The SDK, which is given bytes and gives back the response as it came. */
const sdkTransport: Subject = (scenario, url) => {
  const post = clients[scenario.wire](url);
  return converseBy(scenario, (path, body) => post(path, body));
};

const settings = { apiKey: "none", maxRetries: 0, fetch: nodeFetch };
const headers = { "content-type": "application/json" };
const clients: Record<Wire, (url: string) => Send> = {
  "anthropic-messages"(baseURL) {
    const client = new Anthropic({ ...settings, baseURL });
    return (path, body) => client.post(path, { body, headers }).asResponse();
  },
  gemini(base_url) {
    const client = connect({ api_key: "none", base_url });
    const { signal } = new AbortController();
    return async (path, body) =>
      sendThrough(await client, MODEL, path.includes(":stream") ? "sse" : "json", {
        body,
        headers,
        signal,
        maxRetries: 0,
      });
  },
  "openai-chat": openai,
  "openai-responses": openai,
};

function openai(baseURL: string): Send {
  const client = new OpenAI({ ...settings, baseURL });
  return (path, body) => client.post(path, { body, headers }).asResponse();
}

/** A loop by hand: each message is serialised once, and the bytes of all of them are sent again. */
function converseBy({ wire, transport }: Scenario, send: Send): ReturnType<Subject> {
  const hand: Hand = hands[wire];
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
  const provider = providers[wire]({ model: MODEL, max_tokens: MAX_TOKENS, transport, url });
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
