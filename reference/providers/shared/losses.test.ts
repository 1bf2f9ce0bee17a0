// Every loss in the tables of spec/loop/providers/, shown in a run: by its warning event, or, without one, by what is sent instead.

import { expect, test } from "vitest";
import { agentLoop } from "../../run/run.ts";
import { SPEC_VERSION } from "../../core/session.ts";
import type { losses as anthropicMessagesLosses } from "../anthropic-messages/losses.ts";
import type { losses as geminiLosses } from "../gemini/losses.ts";
import type { losses as openaiChatLosses } from "../openai-chat/losses.ts";
import type { losses as openaiResponsesLosses } from "../openai-responses/losses.ts";
import { providers as known } from "../registry.ts";
import type { Provider } from "../../core/ports.ts";
import type { LoopEvent, Message, ModelRequest, Part } from "../../../schemas/types.ts";

const model = "m";
const user: Message = { role: "user", content: "Hello" };
const said: Message = { role: "assistant", content: "Yes." };
const call = (id = "c", more = {}): Message => ({ type: "tool_call", id, name: "look", input: {}, ...more });
const result = (id = "c", more = {}): Message => ({ type: "tool_result", id, output: "ok", ...more });
const parts = (...content: unknown[]): Message => ({ role: "user", content: content as Part[] });
const text = { type: "text", text: "Look" };
const image = { type: "image", media_type: "image/png", data: "AA==" };
const foreignThinking: Message = { type: "thinking", content: "hm", opaque: { provider: "telepathy", model } };
const foreignItem: Message = { type: "provider_item", provider: "telepathy", item: { type: "x" } };
const unknownMessage = { type: "gesture" } as unknown as Message;
const half: Message = { role: "user", content: "a\ud83d" };

/** A session that loses something, or what else is asked; what is sent instead, as a piece of the JSON of the body. */
interface Shown {
  messages: Message[];
  asked?: Partial<ModelRequest>;
  conversation?: "server";
  sent: string;
}

const anthropic: Record<keyof typeof anthropicMessagesLosses, Shown> = {
  thinking: { messages: [user, foreignThinking, said, user], sent: '"content":[{"type":"text","text":"Yes."}]' },
  thinkingLast: {
    messages: [
      user,
      said,
      { type: "thinking", content: "hm", opaque: { provider: "anthropic-messages", model, signature: "s" } },
      user,
    ],
    sent: '"content":[{"type":"text","text":"Yes."}]',
  },
  item: { messages: [user, foreignItem, said, user], sent: '"content":[{"type":"text","text":"Yes."}]' },
  unanswered: {
    messages: [
      user,
      { type: "provider_item", provider: "anthropic-messages", item: { type: "server_tool_use", id: "s" } },
      said,
      user,
    ],
    sent: '"content":[{"type":"text","text":"Yes."}]',
  },
  unknown: { messages: [user, unknownMessage, said, parts(text)], sent: '"content":[{"type":"text","text":"Yes."}]' },
  document: {
    messages: [parts(text, { type: "document", media_type: "text/csv", data: "AA==" })],
    sent: '"content":[{"type":"text","text":"Look"}]',
  },
  moved: {
    messages: [user, call("c"), result("c", { output: [text, image], is_error: true })],
    sent: '"is_error":true},{"type":"text","text":"Output of the call c:"},{"type":"image"',
  },
  silent: {
    messages: [user, call("c"), result("c", { output: "", is_error: true })],
    sent: '"content":"The tool failed and said nothing."',
  },
  blankPart: {
    messages: [parts(text, { type: "text", text: " " })],
    sent: '"content":[{"type":"text","text":"Look"}]',
  },
  emptyMessage: {
    messages: [user, said, { role: "user", content: " \n" }, user],
    sent: '"text":"Yes."}]},{"role":"user"',
  },
  name: { messages: [user, call("a b"), result("a b")], sent: '"tool_use_id":"a_b_' },
  digits: {
    messages: [
      user,
      call("c", { input: { n: Number("12345678901234567890") }, raw_input: '{"n":12345678901234567890}' }),
      result(),
    ],
    sent: '"input":{"n":12345678901234567890}',
  },
  surrogate: { messages: [half], sent: '"text":"a\ufffd"' },
  effort: {
    messages: [user],
    asked: { settings: { effort: "minimal", max_output_tokens: 7 } },
    sent: '"max_tokens":7,"stream"',
  },
  display: {
    messages: [user],
    asked: { settings: { thinking: { mode: "off", display: "omitted" } } },
    sent: '"thinking":{"type":"disabled"}',
  },
  choice: { messages: [user], asked: { tool_choice: "required" }, sent: '"max_tokens":4096,"stream"' },
  schema: {
    messages: [user],
    asked: { output_format: { name: "count", schema: { type: "integer", minimum: 1 } } },
    sent: '"format":{"type":"json_schema","schema":{"type":"integer"}}',
  },
  open: {
    messages: [user],
    asked: { output_format: { name: "thing", schema: { type: "object", properties: { a: {} } } } },
    sent: '"schema":{"type":"object","properties":{"a":{}},"additionalProperties":false}',
  },
  map: {
    messages: [user],
    asked: { output_format: { name: "thing", schema: { type: "object" } } },
    sent: '"max_tokens":4096,"stream"',
  },
  formName: {
    messages: [user],
    asked: { output_format: { name: "thing", schema: { type: "string" } } },
    sent: '"format":{"type":"json_schema","schema":{"type":"string"}}',
  },
  thread: { messages: [user], conversation: "server", sent: '"max_tokens":4096,"stream":true}' },
};

const item = (fields: object): Message => {
  return { type: "provider_item", provider: "openai-chat", model, item: { type: "message", ...fields } };
};

const chat: Record<keyof typeof openaiChatLosses, Shown> = {
  isError: {
    messages: [user, call(), result("c", { is_error: true })],
    sent: '{"role":"tool","tool_call_id":"c","content":"ok"}',
  },
  place: { messages: [user, call(), said, result()], sent: '"content":"Yes.","tool_calls":[' },
  thinking: { messages: [user, foreignThinking, said, user], sent: '{"role":"assistant","content":"Yes."}' },
  thinkingAlone: {
    messages: [
      user,
      { type: "thinking", content: "hm", opaque: { provider: "openai-chat", model, field: "reasoning" } },
      user,
    ],
    sent: '[{"role":"user","content":"Hello"},{"role":"user","content":"Hello"}]',
  },
  item: { messages: [user, foreignItem, said, user], sent: '{"role":"assistant","content":"Yes."}' },
  fields: {
    messages: [user, item({ annotations: [1] }), call(), result()],
    sent: '{"role":"assistant","content":null,',
  },
  beside: {
    messages: [user, { ...said, opaque: { provider: "openai-chat", model, citations: ["x"] } } as Message, user],
    sent: '{"role":"assistant","content":"Yes."}',
  },
  media: {
    messages: [user, call(), result("c", { output: [image] })],
    sent: '{"role":"user","content":[{"type":"text","text":"Output of the call c:"},{"type":"image_url",',
  },
  texts: { messages: [user, call(), result("c", { output: [text, text] })], sent: '"content":"Look\\nLook"' },
  document: {
    messages: [parts(text, { type: "document", url: "https://example.com/a.pdf" })],
    sent: '"content":[{"type":"text","text":"Look"}]',
  },
  unknown: { messages: [parts(text, { type: "smell" })], sent: '"content":[{"type":"text","text":"Look"}]' },
  emptyPart: { messages: [parts(text, { type: "text", text: "" })], sent: '"content":[{"type":"text","text":"Look"}]' },
  emptyMessage: { messages: [{ role: "system", content: "" }, user], sent: '[{"role":"user","content":"Hello"}]' },
  name: { messages: [user, call("x".repeat(41)), result("x".repeat(41))], sent: '"tool_call_id":"xxxxxxxxxxxx' },
  surrogate: { messages: [half], sent: '"content":"a\ufffd"' },
  stop: {
    messages: [user],
    asked: { settings: { stop_sequences: ["a", "b", "c", "d", "e"] } },
    sent: '"stop":["a","b","c","d"]',
  },
  budget: {
    messages: [user],
    asked: { settings: { effort: "low", thinking: { mode: "budget", budget_tokens: 1000 } } },
    sent: '"reasoning_effort":"low"',
  },
  effort: {
    messages: [user],
    asked: { settings: { effort: "low", thinking: { mode: "off" } } },
    sent: '"reasoning_effort":"none"',
  },
  choice: {
    messages: [user],
    asked: { tool_choice: "required" },
    sent: '"messages":[{"role":"user","content":"Hello"}]',
  },
  display: {
    messages: [user],
    asked: { settings: { temperature: 0, thinking: { mode: "adaptive", display: "omitted" } } },
    sent: '"temperature":0',
  },
};

const own = (provider: string, more: object) => ({ opaque: { provider, model, ...more } });

const gemini: Record<keyof typeof geminiLosses, Shown> = {
  thinking: { messages: [user, foreignThinking, said, user], sent: '{"role":"model","parts":[{"text":"Yes."}]}' },
  signature: {
    messages: [user, call(), result()],
    sent: '{"thoughtSignature":"skip_thought_signature_validator","functionCall":{"id":"c",',
  },
  item: { messages: [user, foreignItem, said, user], sent: '{"role":"model","parts":[{"text":"Yes."}]}' },
  unanswered: {
    messages: [user, { type: "provider_item", provider: "gemini", item: { toolCall: { id: "s" } } }, said, user],
    sent: '{"role":"model","parts":[{"text":"Yes."}]}',
  },
  unknown: { messages: [user, unknownMessage, said, user], sent: '{"role":"model","parts":[{"text":"Yes."}]}' },
  emptyPart: { messages: [parts(text, { type: "text", text: "" })], sent: '"parts":[{"text":"Look"}]' },
  emptyMessage: { messages: [{ role: "system", content: "" }, user], sent: '{"contents":[{"role":"user"' },
  texts: { messages: [user, call(), result("c", { output: [text, text] })], sent: '{"output":"Look\\nLook"}' },
  found: {
    messages: [
      user,
      { ...said, ...own("gemini", { groundingMetadata: { webSearchQueries: ["x"] } }) } as Message,
      user,
    ],
    sent: '{"role":"model","parts":[{"text":"Yes."}]}',
  },
  name: { messages: [user, call("c", { name: "a b" }), result()], sent: '"name":"a_b_' },
  surrogate: { messages: [half], sent: '"text":"a\ufffd"' },
  choice: {
    messages: [user],
    asked: { tool_choice: "required" },
    sent: '{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}',
  },
  stop: {
    messages: [user],
    asked: { settings: { stop_sequences: ["a", "b", "c", "d", "e", "f"] } },
    sent: '"stopSequences":["a","b","c","d","e"]}',
  },
  parallel: {
    messages: [user],
    asked: { settings: { temperature: 0, parallel_tool_calls: false } },
    sent: '"generationConfig":{"temperature":0}',
  },
  effort: {
    messages: [user],
    asked: { settings: { effort: "low", thinking: { mode: "budget", budget_tokens: 1000 } } },
    sent: '"thinkingConfig":{"thinkingBudget":1000,"includeThoughts":true}',
  },
  display: {
    messages: [user],
    asked: { settings: { thinking: { mode: "off", display: "summarized" } } },
    sent: '"thinkingConfig":{"thinkingBudget":0}',
  },
  cache: {
    messages: [user],
    asked: { settings: { temperature: 0, cache: "prefix" } },
    sent: '"generationConfig":{"temperature":0}',
  },
  formName: {
    messages: [user],
    asked: { output_format: { name: "thing", schema: { type: "string" } } },
    sent: '"responseJsonSchema":{"type":"string"}}',
  },
};

const ofResponses = (more: object) => own("openai-responses", more);

const responses: Record<keyof typeof openaiResponsesLosses, Shown> = {
  isError: {
    messages: [user, call(), result("c", { is_error: true })],
    sent: '{"type":"function_call_output","call_id":"c","output":"ok"}',
  },
  thinking: { messages: [user, foreignThinking, said, user], sent: '{"role":"assistant","content":"Yes."}' },
  unanswered: {
    messages: [
      user,
      { type: "provider_item", provider: "openai-responses", item: { type: "shell_call", call_id: "s" } },
      said,
      user,
    ],
    sent: '{"role":"user","content":"Hello"},{"role":"assistant","content":"Yes."}',
  },
  reference: {
    messages: [user, { type: "thinking", content: "hm", ...ofResponses({ id: "rs_1" }) } as Message, said, user],
    sent: '{"role":"user","content":"Hello"},{"role":"assistant","content":"Yes."}',
  },
  itemIds: {
    messages: [
      user,
      { ...said, ...ofResponses({ id: "msg_1" }) } as Message,
      user,
      { ...said, ...ofResponses({ id: "msg_1" }) } as Message,
      user,
    ],
    sent: '{"role":"user","content":"Hello"},{"type":"message","role":"assistant"',
  },
  item: { messages: [user, foreignItem, said, user], sent: '{"role":"assistant","content":"Yes."}' },
  unknown: { messages: [parts(text, { type: "smell" })], sent: '"content":[{"type":"input_text","text":"Look"}]' },
  emptyPart: {
    messages: [parts(text, { type: "text", text: "" })],
    sent: '"content":[{"type":"input_text","text":"Look"}]',
  },
  emptyMessage: { messages: [{ role: "system", content: "" }, user], sent: '"input":[{"role":"user"' },
  name: { messages: [user, call("x".repeat(65)), result("x".repeat(65))], sent: '"call_id":"xxxxxxxxxxxx' },
  logprobs: {
    messages: [user, { ...said, ...ofResponses({ logprobs: [{ token: "Yes" }] }) } as Message, user],
    sent: '"text":"Yes.","annotations":[]}',
  },
  surrogate: { messages: [half], sent: '"content":"a\ufffd"' },
  stop: { messages: [user], asked: { settings: { stop_sequences: ["a"] } }, sent: '"input":[{"role":"user"' },
  budget: {
    messages: [user],
    asked: { settings: { effort: "low", thinking: { mode: "budget", budget_tokens: 1000 } } },
    sent: '"reasoning":{"effort":"low"}',
  },
  effort: {
    messages: [user],
    asked: { settings: { effort: "low", thinking: { mode: "off" } } },
    sent: '"reasoning":{"effort":"none"}',
  },
  choice: { messages: [user], asked: { tool_choice: "required" }, sent: '"input":[{"role":"user"' },
};

const shownBy = { "anthropic-messages": anthropic, gemini, "openai-chat": chat, "openai-responses": responses };
const rows = Object.entries(shownBy).flatMap(([name, shown]) =>
  Object.entries(shown).map(([loss, row]) => ({ name: name as keyof typeof shownBy, loss, ...row })),
);

test.each(rows)("$name, $loss", async ({ name, loss, messages, asked, conversation, sent }) => {
  let body: unknown;
  const send = async (sent: { body: unknown }) => {
    body = sent.body;
    const error = { type: "invalid_request_error", details: { error_code: "thread_unsupported_request" } };
    return new Response(JSON.stringify({ error }), { status: 400 });
  };
  const adapter = known[name].createOver(send, { model, ...(conversation && { conversation }) });
  const provider: Provider = {
    name,
    invokeModel: (request, call) => adapter.invokeModel({ ...request, ...asked }, call),
  };
  const run = agentLoop({ provider, session: { spec_version: SPEC_VERSION, id: "s", messages } });
  const warned: LoopEvent[] = [];
  for await (const event of run) if (event.type === "warning") warned.push(event);
  expect(JSON.stringify(body)).toContain(sent);
  const { code } = known[name].losses[loss]!;
  const codes = warned.map((event) => event.type === "warning" && event.code);
  expect([...new Set(codes)]).toEqual(code === null ? [] : [code]);
});
