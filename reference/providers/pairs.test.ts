// A session that one provider made, sent through another: what that one cannot take is warned of, and nothing else is lost.

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { codecs } from "../../conformance/kit/wire/codecs.ts";
import { providers as known } from "./registry.ts";
import type { AboutProvider } from "./shared/about-provider.ts";
import type { Message, Part } from "../../schemas/types.ts";

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));
const all: AboutProvider[] = Object.values(known);
const pairs = all.flatMap((maker) => all.filter((other) => other !== maker).map((other) => ({ maker, other })));

/** An answer with all that one of a provider can have at once: sealed thinking, a text, two calls, and something of its own. */
const richest: Partial<Record<string, object>> = {
  "anthropic-messages": {
    content: [
      { type: "thinking", thinking: "Hm.", signature: "crafted-seal-1" },
      { type: "redacted_thinking", data: "crafted-seal-2" },
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
      { type: "text", text: "I look.", citations: [{ cited_text: "x" }] },
      { type: "tool_use", id: "toolu_1", name: "look", input: { far: true } },
      { type: "tool_use", id: "toolu_2", name: "listen", input: {} },
    ],
    stop_reason: "tool_use",
  },
  gemini: {
    candidates: [
      {
        content: {
          parts: [
            { text: "Hm.", thought: true, thoughtSignature: "crafted-seal-1" },
            { executableCode: { language: "PYTHON", code: "1" } },
            { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
            { text: "I look.", thoughtSignature: "crafted-seal-2" },
            { functionCall: { name: "look", args: { far: true } }, thoughtSignature: "crafted-seal-3" },
            { functionCall: { name: "listen", args: {} } },
          ],
        },
        finishReason: "STOP",
      },
    ],
  },
  "openai-chat": {
    choices: [
      {
        message: {
          reasoning_details: [{ type: "reasoning.encrypted", data: "crafted-seal-1" }],
          content: [
            { type: "reference", reference_ids: [1] },
            { type: "text", text: "I look." },
          ],
          tool_calls: [
            { id: "call:1", type: "function", function: { name: "look", arguments: '{"far":true}' } },
            { id: "call:2", type: "function", function: { name: "listen", arguments: "{}" } },
          ],
        },
        finish_reason: "tool_calls",
      },
    ],
  },
  "openai-responses": {
    status: "completed",
    output: [
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "crafted-seal-1" },
      { type: "web_search_call", id: "ws_1", status: "completed" },
      { type: "message", id: "msg_1", content: [{ type: "output_text", text: "I look.", annotations: [] }] },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: '{"far":true}' },
      { type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "listen", input: "x" },
    ],
  },
};

/** The answers of a provider that are among the fixtures, and the richest, each with what it says. */
function answersOf(maker: AboutProvider): { file: string; messages: Message[] }[] {
  const { messages } = maker.codec.parseResponse(richest[maker.name] ?? {}, maker.exampleModel);
  return [...(maker.name in richest ? [{ file: "all at once", messages }] : []), ...fixturesOf(maker)];
}

function fixturesOf({ name, codec, exampleModel }: AboutProvider): { file: string; messages: Message[] }[] {
  return globSync(`${name}/*.json`, { cwd: fixtures }).flatMap((file) => {
    const { exchanges } = JSON.parse(readFileSync(`${fixtures}/${file}`, "utf8")) as {
      exchanges: { response: { status: number; body?: unknown } }[];
    };
    return exchanges.flatMap(({ response: { status, body } }) => {
      if (status !== 200 || body === undefined) return [];
      const { messages } = codec.parseResponse(body, exampleModel);
      return messages.length === 0 ? [] : [{ file, messages }];
    });
  });
}

/** A conversation that such an answer stands in: its calls have results, of which one is an error, and the user goes on. */
function conversationWith(answer: Message[]): Message[] {
  const calls = answer.flatMap((message) => (message.type === "tool_call" ? [message] : []));
  const ids = new Map(calls.map((call, at) => [call, call.id === "" ? `call_${at}` : call.id]));
  const results = calls.map((call, at): Message => {
    const outcome = at === 0 ? { is_error: true } : {};
    return { type: "tool_result", id: ids.get(call)!, output: `Result ${at}.`, ...outcome };
  });
  const named = answer.map((message) =>
    message.type === "tool_call" ? { ...message, id: ids.get(message)! } : message,
  );
  return [{ role: "user", content: "Hello." }, ...named, ...results, { role: "user", content: "And then?" }];
}

/** What everybody can take of a conversation: what was said, what was called, and what came of it. */
function generic(messages: Message[]) {
  const calls = messages.flatMap((message) => (message.type === "tool_call" ? [message] : []));
  const places = new Map(calls.map(({ id }, at) => [id, at]));
  return {
    users: messages.flatMap((message) => (message.role === "user" ? textsOf(message.content) : [])),
    said: messages.flatMap((message) => (message.role === "assistant" ? [message.content] : [])).join(""),
    calls: calls.map(({ name, input }) => ({ name, input: input ?? {} })),
    results: messages.flatMap((message) =>
      message.type === "tool_result" ? [{ of: places.get(message.id), said: textsOf(message.output).join("\n") }] : [],
    ),
  };
}

function textsOf(content: string | Part[]): string[] {
  return typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

/** What only the maker can take: the texts that it sealed, wherever they stand. */
function sealsIn(messages: Message[]): string[] {
  return messages.flatMap((message) => {
    const { opaque } = message as { opaque?: Record<string, unknown> };
    const { signature, redacted, encrypted_content, reasoning_details = [] } = opaque ?? {};
    const details = reasoning_details as { data?: unknown; signature?: unknown }[];
    const seals = [
      signature,
      redacted,
      encrypted_content,
      ...details.flatMap((detail) => [detail.data, detail.signature]),
    ];
    return seals.filter((seal): seal is string => typeof seal === "string" && seal !== "");
  });
}

function kindsOf(messages: Message[]): string[] {
  return messages.flatMap(({ type }) => (type === "thinking" || type === "provider_item" ? [type] : []));
}

function sentThrough({ name, render, exampleModel }: AboutProvider, messages: Message[]) {
  const { body, warnings } = render({ messages, tools: [] }, { model: exampleModel });
  const bytes = JSON.stringify(body);
  const { checkRequest, readRequest, traffic } = codecs[name];
  const headers = { "content-type": "application/json", ...traffic.keyHeader("key"), ...traffic.headers };
  const read = readRequest(JSON.parse(bytes)).messages;
  return { bytes, read, refused: checkRequest(JSON.parse(bytes), headers), codes: warnings.map(({ code }) => code) };
}

const idsIn = (messages: Message[]) =>
  messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : []));

describe.each(pairs)("what $maker.name made, sent to $other.name", ({ maker, other }) => {
  test.each(answersOf(maker))("$file", ({ messages }) => {
    const conversation = conversationWith(messages);
    const { bytes, read, refused, codes } = sentThrough(other, conversation);

    expect(generic(read)).toEqual(generic(conversation));
    expect(kindsOf(read)).toEqual([]);
    expect(sealsIn(conversation).filter((seal) => bytes.includes(seal))).toEqual([]);
    expect(refused).toEqual([]);

    const lost = kindsOf(conversation);
    const isRenamed = idsIn(read).join() !== idsIn(conversation).join();
    const expected = [
      ...(lost.includes("thinking") ? ["thinking_dropped"] : []),
      ...(lost.includes("provider_item") ? ["provider_item_dropped"] : []),
      ...(isRenamed ? ["id_mapped"] : []),
    ];
    expect([...new Set(codes)].toSorted()).toEqual(expected.toSorted());
  });
});

test.each(all.filter(({ name }) => name in richest))(
  "the richest answer of $name has something to lose of each kind",
  (maker) => {
    const [{ messages } = { messages: [] }] = answersOf(maker);
    const kinds = new Set(messages.map(({ type, role }) => type ?? role));
    expect([...kinds].toSorted()).toEqual(["assistant", "provider_item", "thinking", "tool_call"]);
    expect(sealsIn(messages)).toContain("crafted-seal-1");
  },
);
