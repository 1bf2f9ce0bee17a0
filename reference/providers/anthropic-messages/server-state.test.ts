// A conversation that Anthropic's server keeps: what is sent, what is kept of it in the session, and when it begins anew.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropicMessages } from "./index.ts";
import type { AnthropicMessagesSettings } from "./index.ts";
import type { Message, ModelRequest, Tool } from "../../../schemas/types.ts";

const model = "claude-x";
const user = (content: string): Message => ({ role: "user", content });
const system: Message = { role: "system", content: "Be brief." };
const look: Tool = { name: "look around!", input_schema: { type: "object" } };
const result: Message = { type: "tool_result", id: "c1", output: "ok" };

interface Sent {
  body: Record<string, unknown> & { messages: { role: string; content: unknown[] }[]; thread?: Record<string, string> };
  headers: Record<string, string>;
}

/** A provider whose server gives these answers, and what it was sent. */
function serving(answers: [status: number, body: unknown][], settings: Partial<AnthropicMessagesSettings> = {}) {
  const sent: Sent[] = [];
  const client = {
    post(_path: string, { body, headers }: { body: unknown; headers?: Record<string, string> }) {
      sent.push({ body: structuredClone(body) as Sent["body"], headers: headers ?? {} });
      const [status, answer] = answers[sent.length - 1]!;
      const init = { status, headers: { "content-type": "application/json" } };
      return { asResponse: async () => new Response(JSON.stringify(answer), init) };
    },
  };
  const provider = anthropicMessages({ model, client, transport: "json", conversation: "server", ...settings });
  const warned: string[] = [];
  const call = { signal: new AbortController().signal, onStream() {}, warn: (code: string) => void warned.push(code) };
  const ask = async (request: Partial<ModelRequest>) =>
    provider.invokeModel({ messages: [user("Look.")], tools: [], ...request }, call);
  return { sent, warned, ask };
}

const silent = { signal: new AbortController().signal, onStream() {}, warn() {} };

/** A client that only notes what it is given. */
function recording(sent: Sent[]) {
  return {
    post(_path: string, { body, headers }: { body: unknown; headers?: Record<string, string> }) {
      sent.push({ body: structuredClone(body) as Sent["body"], headers: headers ?? {} });
      return { asResponse: async () => new Response(null, { status: 400 }) };
    },
  };
}

const answer = (id: string, content: object[] = [{ type: "text", text: `said ${id}` }], more = {}) =>
  [200, { id, content, stop_reason: "end_turn", usage: {}, ...more }] as [number, unknown];
const refusal = (status: number, error_code: string) =>
  [status, { type: "error", error: { type: "x_error", message: "No.", details: { error_code } } }] as [number, unknown];

const called = [
  { type: "thinking", thinking: "hm", signature: "s" },
  { type: "tool_use", id: "c1", name: "", input: {} },
];

/** One turn on a thread, and the session that the loop makes of it. */
async function begun(more: Partial<ModelRequest> = {}) {
  const one = serving([answer("msg_1")]);
  const asked = [system, user("Look.")];
  const { messages } = await one.ask({ messages: asked, tools: [look], ...more });
  // The loop stores copies, and a session is JSON.
  return { ...one, session: structuredClone([...asked, ...messages.map((said) => ({ ...said, meta: { turn: 1 } }))]) };
}

describe("a thread", () => {
  test("and what the server has of it are together what is sent without it, turn after turn", async () => {
    const turn = fc.record({
      words: fc.string({ minLength: 1 }),
      thinks: fc.boolean(),
      calls: fc.integer({ max: 2, min: 0 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
        const contents = turns.map(({ words, thinks, calls }, place) => [
          ...(thinks ? [called[0]!] : []),
          { type: "text", text: `${words}.` },
          ...Array.from({ length: calls }, (_, at) => ({
            type: "tool_use",
            id: `c${place}_${at}`,
            name: "n",
            input: {},
          })),
        ]);
        const { sent, ask } = serving(contents.map((content, at) => answer(`msg_${at}`, content)));
        const session: Message[] = [user("Begin.")];
        const kept: unknown[] = [];
        for (const [place, content] of contents.entries()) {
          const { messages } = await ask({ messages: structuredClone(session) });
          const { body } = sent.at(-1)!;
          kept.push(...body.messages);
          const whole = anthropicMessages({ model, client: recording(sent), transport: "json" });
          await whole.invokeModel({ messages: session, tools: [] }, silent);
          expect(body.thread!.type).toBe(place === 0 ? "create" : "continue");
          expect(kept).toEqual(sent.pop()!.body.messages);
          kept.push({ role: "assistant", content });
          const calls = messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : []));
          session.push(...messages, ...calls.map((id): Message => ({ ...result, id }) as Message), user("Go on."));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("begins with the whole conversation", async () => {
    const { sent, session } = await begun();
    expect(sent[0]!.body).toMatchObject({ thread: { type: "create" }, system: "Be brief.", tools: [{}] });
    expect(sent[0]!.headers["anthropic-beta"]).toBe("message-threads-2026-08-12");
    expect(session.at(-1)).toMatchObject({
      opaque: { provider: "anthropic-messages", model, thread: { id: "msg_1" } },
    });
  });

  test("goes on with what is new, in another process too", async () => {
    const { session } = await begun();
    const { sent, ask } = serving([answer("msg_2"), answer("msg_3")]);
    const next = [...session, user("And now?"), user("Quick.")];
    const { messages } = await ask({ messages: next, tools: [look] });
    const { body } = sent[0]!;
    expect(body.thread).toEqual({ type: "continue", previous_message_id: "msg_1" });
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "And now?" },
          { type: "text", text: "Quick." },
        ],
      },
    ]);
    expect([body.system, body.tools]).toEqual([undefined, undefined]);
    await ask({ messages: [...next, ...messages, user("Go on.")], tools: [look] });
    expect(sent[1]!.body.thread).toEqual({ type: "continue", previous_message_id: "msg_2" });
  });

  test("goes on with results, under the names that the server knows", async () => {
    const one = serving([answer("msg_0", [{ type: "text", text: "Yes." }]), answer("msg_2")]);
    const first = await one.ask({ tools: [look] });
    const name = (one.sent[0]!.body.tools as { name: string }[])[0]!.name;
    const two = serving([answer("msg_1", [called[0]!, { ...called[1], name }]), answer("msg_2")]);
    const asked = [user("Look."), ...first.messages, user("Again.")];
    const { messages } = await two.ask({ messages: asked, tools: [look] });
    expect(messages.at(-1)).toMatchObject({ type: "tool_call", name: "look around!" });
    await two.ask({ messages: [...asked, ...messages, result], tools: [look] });
    expect(two.sent[1]!.body).toMatchObject({
      thread: { previous_message_id: "msg_1" },
      messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c1" }] }],
    });
    expect(JSON.stringify(two.sent[0]!.body)).not.toContain("digest");
  });

  test("goes on with nothing new after a pause", async () => {
    const { sent, ask } = serving([
      answer("msg_1", [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }], {
        stop_reason: "pause_turn",
      }),
      answer("msg_2"),
    ]);
    const { messages } = await ask({});
    await ask({ messages: [user("Look."), ...messages] });
    expect(sent[1]!.body).toMatchObject({ messages: [], thread: { previous_message_id: "msg_1" } });
  });

  test.each<[string, (session: Message[]) => Partial<ModelRequest>]>([
    ["an earlier message", ([first, , ...rest]) => ({ messages: [first!, user("Listen."), ...rest] })],
    ["a message before", ([first, ...rest]) => ({ messages: [first!, user("Psst."), ...rest] })],
    [
      "the last response",
      (session) => ({ messages: [...session.slice(0, -1), { ...session.at(-1), content: "No." } as Message] }),
    ],
    ["the system text", ([, ...rest]) => ({ messages: [{ role: "system", content: "Be long." }, ...rest] })],
    ["the tools", (messages) => ({ messages, tools: [] })],
    ["the effort", (messages) => ({ messages, settings: { effort: "low" } })],
    ["the model", (messages) => ({ messages, model: "claude-y" })],
    [
      "who answered last",
      (messages) => ({ messages: [...messages, user("Hm."), { role: "assistant", content: "Hm." }] }),
    ],
  ])("begins anew when somebody changed %s", async (_what, change) => {
    const { session } = await begun();
    const { sent, ask } = serving([answer("msg_2")]);
    const { messages, ...more } = change(session);
    await ask({ messages: [...messages!, user("And now?")], tools: [look], ...more });
    const { body } = sent[0]!;
    expect(body.thread).toEqual({ type: "create" });
    expect(body.messages.length).toBeGreaterThan(2);
    expect(body.system).toBeDefined();
  });

  test.each([
    ["a refusal", { stop_reason: "refusal" }],
    ["the answer of another model", { usage: { iterations: [{ type: "message" }, { type: "fallback_message" }] } }],
    ["an answer without an end", { stop_reason: null }],
    ["an answer without an id", { id: undefined }],
  ])("does not go on from %s", async (_what, more) => {
    const { sent, ask } = serving([answer("msg_1", undefined, more), answer("msg_2")]);
    const { messages } = await ask({});
    await ask({ messages: [user("Look."), ...messages, user("And now?")] });
    expect(sent[1]!.body.thread).toEqual({ type: "create" });
  });

  test.each([
    [404, "thread_not_found"],
    [400, "thread_already_continued"],
    [400, "thread_continue_in_flight"],
    [400, "thread_fingerprint_mismatch"],
  ])("begins anew, once, after %i %s", async (status, code) => {
    const { session } = await begun();
    const request = { messages: [...session, user("And now?")], tools: [look] };
    const { sent, warned, ask } = serving([refusal(status, code), answer("msg_2")]);
    expect((await ask(request)).messages).toMatchObject([
      { content: "said msg_2", opaque: { thread: { id: "msg_2" } } },
    ]);
    expect(sent.map(({ body }) => [body.thread!.type, body.messages.length])).toEqual([
      ["continue", 1],
      ["create", 3],
    ]);
    expect(warned).toEqual(["id_mapped"]);
    const again = serving([refusal(status, code), refusal(status, code)]);
    expect((await again.ask(request)).error).toMatchObject({ code, status });
    expect(again.sent).toHaveLength(2);
  });

  test("is given up where the server cannot keep it, with a warning", async () => {
    const { session } = await begun();
    const { sent, warned, ask } = serving([
      refusal(404, "thread_not_found"),
      refusal(400, "thread_unsupported_request"),
      answer("msg_2"),
    ]);
    const { messages } = await ask({ messages: [...session, user("And now?")], tools: [look] });
    expect(sent.map(({ body, headers }) => [body.thread?.type, headers["anthropic-beta"] !== undefined])).toEqual([
      ["continue", true],
      ["create", true],
      [undefined, false],
    ]);
    expect(warned).toContain("setting_dropped");
    expect(messages).toEqual([{ role: "assistant", content: "said msg_2" }]);
  });

  test("is not there, and leaves nothing in the session, where nobody asked for it", async () => {
    const { sent, ask } = serving([answer("msg_1")], { conversation: "stateless" });
    expect((await ask({})).messages).toEqual([{ role: "assistant", content: "said msg_1" }]);
    expect(sent[0]!.body).not.toHaveProperty("thread");
  });
});
