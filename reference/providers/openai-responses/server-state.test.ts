// What the openai-responses adapter sends to a server that keeps the conversation.

import { expect, test } from "vitest";
import { openaiResponses } from "./index.ts";
import type { OpenAIResponsesSettings } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Message, ModelResponse } from "../../../schemas/types.ts";

type Fields = Record<string, unknown>;

const model = "gpt-x";
const user: Message = { role: "user", content: "Hello" };
const system: Message = { role: "system", content: "Be brief." };
const result = (id: string): Message => ({ type: "tool_result", id, output: "ok" });
const call = { type: "function_call", id: "fc_1", call_id: "a", name: "look", arguments: "{}" };
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" };
const text = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Yes." }] };
const answer = (id: string, ...output: Fields[]) => ({ object: "response", id, status: "completed", output });
const notFound = { error: { message: "gone", type: "invalid_request_error", code: "previous_response_not_found" } };

/** An adapter whose server answers with these bodies, in turn, and what it was asked. */
function adapter(answers: { status?: number; body: Fields }[], settings: Partial<OpenAIResponsesSettings> = {}) {
  const asked: { input: Fields[]; [key: string]: unknown }[] = [];
  const client = {
    post: (_path: string, { body }: { body: unknown }) => ({
      async asResponse() {
        asked.push(structuredClone(body) as (typeof asked)[number]);
        const { status = 200, body: said } = answers[asked.length - 1]!;
        if (settings.transport !== "sse") return Response.json(said, { status });
        const event = status === 200 ? { type: "response.completed", response: said } : { type: "error", ...said };
        return new Response(`data: ${JSON.stringify(event)}\n\n`, { headers: { "content-type": "text/event-stream" } });
      },
    }),
  };
  const provider = openaiResponses({ model, client, transport: "json", conversation: "server", ...settings });
  const events: StreamEvent[] = [];
  const ask = (...messages: Message[]): Promise<ModelResponse> => {
    const listener = {
      signal: new AbortController().signal,
      onStream: (event: StreamEvent) => void events.push(event),
    };
    return provider.invokeModel({ messages, tools: [] }, { ...listener, warn() {} });
  };
  return { ask, asked, events };
}

const first = answer("resp_1", reasoning, call);
const second = answer("resp_2", text);

/** A conversation of two turns, and what was asked in it. */
async function converse(change: (messages: Message[]) => Message[], ...answers: { status?: number; body: Fields }[]) {
  const { ask, asked } = adapter([{ body: first }, ...answers]);
  const said = await ask(system, user);
  const saved = JSON.parse(JSON.stringify([system, user, ...said.messages, result("a"), user])) as Message[];
  const last = await ask(...change(saved));
  return { asked, last };
}

test("only what is new is sent, with the instructions and the response before it", async () => {
  const { asked } = await converse((messages) => messages, { body: second });
  expect(asked[0]).toMatchObject({ store: true, include: ["reasoning.encrypted_content"], input: [user] });
  expect(asked[0]).not.toHaveProperty("previous_response_id");
  expect(asked[1]).toMatchObject({ previous_response_id: "resp_1", instructions: "Be brief.", store: true });
  expect(asked[1]!.input).toEqual([{ type: "function_call_output", call_id: "a", output: "ok" }, user]);
});

test("another adapter goes on where one has stopped", async () => {
  const { ask } = adapter([{ body: first }]);
  const { messages } = await ask(user);
  const other = adapter([{ body: second }]);
  await other.ask(user, ...(JSON.parse(JSON.stringify(messages)) as Message[]), result("a"));
  expect(other.asked[0]).toMatchObject({ previous_response_id: "resp_1", input: [{ call_id: "a" }] });
});

const changes: [string, (messages: Message[]) => Message[]][] = [
  ["before the response", ([one, , ...rest]) => [one!, { role: "user", content: "Ho" }, ...rest]],
  ["in the response", (list) => list.map((one) => (one.type === "tool_call" ? { ...one, input: { b: 1 } } : one))],
  ["by a message that is gone", ([one, , ...rest]) => [one!, ...rest]],
  [
    "by another id of a call",
    (list) => list.map((one) => ("id" in one && one.id === "a" ? ({ ...one, id: "b" } as Message) : one)),
  ],
  [
    "by its marks, as another implementation has none",
    (list) =>
      list.map((one) => {
        const { conversation: _mark, ...opaque } = (one as { opaque?: Fields }).opaque ?? {};
        return "opaque" in one ? ({ ...one, opaque } as Message) : one;
      }),
  ],
];

test.each(changes)("everything is sent where the session was changed %s", async (_name, change) => {
  const { asked } = await converse(change, { body: second });
  expect(asked[1]).not.toHaveProperty("previous_response_id");
  expect(asked[1]).toMatchObject({ store: true });
  expect(asked[1]!.input.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["reasoning", "function_call", "function_call_output"]),
  );
});

test("other instructions change nothing of what the server has", async () => {
  const { asked } = await converse(([, ...rest]) => [{ role: "system", content: "Be long." }, ...rest], {
    body: second,
  });
  expect(asked[1]).toMatchObject({ previous_response_id: "resp_1", instructions: "Be long." });
});

test("a change after a response leaves that response to be referred to", async () => {
  const { ask, asked } = adapter([{ body: first }, { body: second }, { body: second }]);
  const one = await ask(user);
  const more = [user, ...one.messages, result("a")];
  const two = await ask(...more);
  const changed = two.messages.map((message) => ({ ...message, content: "No." }) as Message);
  await ask(...more, ...changed, user);
  expect(asked[2]).toMatchObject({ previous_response_id: "resp_1" });
  expect(asked[2]!.input).toHaveLength(3);
});

test.each([
  ["a code", { status: 400, body: notFound }],
  ["the status", { status: 404, body: { error: { message: "gone" } } }],
])("a server that says by %s that it has lost the response is sent everything, once", async (_name, lost) => {
  const { asked, last } = await converse((messages) => messages, lost, { body: second });
  expect(asked).toHaveLength(3);
  expect(asked[2]).not.toHaveProperty("previous_response_id");
  expect(asked[2]!.input.map(({ type, role }) => type ?? role)).toEqual([
    "user",
    "reasoning",
    "function_call",
    "function_call_output",
    "user",
  ]);
  expect(last).toMatchObject({ stop_reason: "end_turn", messages: [{ content: "Yes." }] });

  const again = await converse((messages) => messages, lost, lost);
  expect(again.asked).toHaveLength(3);
  expect(again.last.stop_reason).toBe("error");
});

test("a model that is not there is not asked again", async () => {
  const { ask, asked } = adapter([{ status: 404, body: { error: { message: "no such model" } } }]);
  expect((await ask(user)).error?.kind).toBe("not_found");
  expect(asked).toHaveLength(1);
});

test("a response that the server did not store is not referred to", async () => {
  const { ask, asked } = adapter([{ body: { ...first, store: false } }, { body: second }]);
  const { messages } = await ask(user);
  await ask(user, ...messages, result("a"));
  expect(asked[1]).not.toHaveProperty("previous_response_id");
});

test("a streamed message is marked as the one in the response", async () => {
  const { ask, events } = adapter([{ body: first }], { transport: "sse" });
  const { messages } = await ask(user);
  const marked = { opaque: { response_id: "resp_1", conversation: expect.stringMatching(/^\w{14}$/) } };
  expect(messages).toMatchObject([marked, marked]);
  expect(events.flatMap((event) => (event.type === "message_end" ? event.message : []))).toEqual(messages);
});

test("without a server that keeps it, a conversation is not marked", async () => {
  const { ask, asked } = adapter([{ body: first }, { body: second }], { conversation: "stateless" });
  const { messages } = await ask(user);
  await ask(user, ...messages, result("a"));
  expect(JSON.stringify(messages)).not.toContain('"conversation"');
  expect(asked[1]).toMatchObject({ store: false });
  expect(asked[1]!.input).toHaveLength(4);
});

test("a server that says inside a stream that it has lost the response is sent everything", async () => {
  const lost = { status: 400, body: notFound };
  const { ask, asked } = adapter([{ body: first }, lost, { body: second }], { transport: "sse" });
  const { messages } = await ask(user);
  expect(await ask(user, ...messages, result("a"))).toMatchObject({ messages: [{ content: "Yes." }] });
  expect(asked[2]!.input).toHaveLength(4);
});
