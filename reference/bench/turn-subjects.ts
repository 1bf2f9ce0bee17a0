// Who does the work that is measured: the reference, a hand-written loop over the same SDK, and the floor below both.

import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { agentLoop } from "../run/run.ts";
import { initSession } from "../core/session.ts";
import type { Answer, Fields } from "./measured-wire.ts";
import { MAX_TOKENS, MODEL, readTool, SYSTEM, TASK } from "./turn-script.ts";
import type { ReadInput, Scenario, Wire } from "./turn-script.ts";
import { measured } from "./wires.ts";

/** Has one conversation with the model and gives back the model's last text. */
export type Converse = (tool: (input: ReadInput) => string) => Promise<string>;

/** Makes ready what lasts for many conversations: clients and connections. `url` is where the scenario is played. */
export type Subject = (scenario: Scenario, url: string) => Converse;

/** The whole loop over the adapter. */
export const reference: Subject = ({ wire, transport, turns }, url) => {
  const provider = measured[wire].adapter({ model: MODEL, max_tokens: MAX_TOKENS, transport, url });
  return async (tool) => {
    const run = agentLoop({
      provider,
      session: initSession({ id: "bench", user: TASK }),
      instructions: SYSTEM,
      tools: [{ ...readTool, execute: (input: never) => tool(input) }],
      options: { max_turns: turns },
    });
    const { status, final_text, error } = await run.result;
    if (status !== "completed") throw new Error(`the run ended with ${status}: ${error?.message}`);
    return final_text;
  };
};

/** The loop that people write first: the SDK's own call, with the whole history each time. */
const sdk: Subject = ({ wire, transport }, url) => {
  const hand = measured[wire].hand;
  const body = hand.body(transport);
  const create = measured[wire].create(url, transport);
  return async (tool) => {
    const messages = [...hand.first];
    for (;;) {
      const said = await create({ ...body, [hand.list]: messages });
      let answer: Answer;
      if (transport === "sse") {
        const collector = hand.collect();
        for await (const event of said as AsyncIterable<Fields>) collector.push(event);
        answer = collector.answer();
      } else answer = hand.read(said as Fields);
      messages.push(...answer.messages);
      if (answer.calls.length === 0) return answer.text;
      messages.push(...hand.results(answer.calls.map(({ id, input }) => ({ id, output: tool(input) }))));
    }
  };
};

/**
 * The least that a loop can do with Node's client: one connection that is kept, the headers that the API asks for, each message
 * serialised once, the bytes of all of them sent again, the answer read with `JSON.parse`. It believes whatever it is told.
 */
export const floor: Subject = ({ wire, transport }, url) => {
  const hand = measured[wire].hand;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const head = Buffer.from(`${JSON.stringify(hand.body(transport)).slice(0, -1)},"${hand.list}":[`);
  const tail = Buffer.from("]}");
  return async (tool) => {
    const sent = [head];
    const add = (message: Fields) => sent.push(Buffer.from((sent.length > 1 ? "," : "") + JSON.stringify(message)));
    for (const message of hand.first) add(message);
    for (;;) {
      const response = await post(url + hand.path(transport), { agent, headers: hand.headers }, [...sent, tail]);
      const answer = transport === "sse" ? await readEvents(response, wire) : hand.read(await readJson(response));
      for (const message of answer.messages) add(message);
      if (answer.calls.length === 0) return answer.text;
      for (const message of hand.results(answer.calls.map(({ id, input }) => ({ id, output: tool(input) })))) {
        add(message);
      }
    }
  };
};

type Sender = { agent: Agent; headers: Record<string, string> };

async function post(url: string, { agent, headers: said }: Sender, parts: Buffer[]): Promise<IncomingMessage> {
  const headers = { ...said, "content-length": parts.reduce((length, part) => length + part.length, 0) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, { agent, method: "POST", headers }, resolve).on("error", reject);
    outgoing.cork();
    for (const part of parts) outgoing.write(part);
    outgoing.end();
  });
  if (response.statusCode === 200) return response;
  throw new Error(`status ${response.statusCode}: ${JSON.stringify(await readJson(response))}`);
}

async function readJson(response: IncomingMessage): Promise<Fields> {
  let text = "";
  response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  await new Promise((resolve, reject) => response.on("end", resolve).on("error", reject));
  return JSON.parse(text) as Fields;
}

async function readEvents(response: IncomingMessage, wire: Wire): Promise<Answer> {
  const collector = measured[wire].hand.collect();
  let rest = "";
  response.setEncoding("utf8").on("data", (piece: string) => {
    const events = (rest + piece).split("\n\n");
    rest = events.pop()!;
    for (const event of events) {
      const data = event.slice(event.indexOf("data: ") + 6);
      if (data !== "[DONE]") collector.push(JSON.parse(data) as Fields);
    }
  });
  await new Promise((resolve, reject) => response.on("end", resolve).on("error", reject));
  return collector.answer();
}

/** The answer in a response of `fetch`, read as the floor reads it. */
export async function readSent(
  response: Response,
  { wire, transport }: Pick<Scenario, "wire" | "transport">,
): Promise<Answer> {
  if (transport === "json") return measured[wire].hand.read((await response.json()) as Fields);
  const collector = measured[wire].hand.collect();
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of response.body!) {
    const events = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = events.pop()!;
    for (const event of events) {
      const data = event.slice(event.indexOf("data: ") + 6);
      if (data !== "[DONE]") collector.push(JSON.parse(data) as Fields);
    }
  }
  return collector.answer();
}

export const subjects = { reference, sdk, floor };
export type SubjectName = keyof typeof subjects;
