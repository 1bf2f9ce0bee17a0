// What a format can carry comes back from it: sessions to requests, and requests read back to sessions.

import fc from "fast-check";
import { expect, test } from "vitest";
import { renderRequest as renderAnthropic } from "./anthropic-messages/index.ts";
import { renderRequest as renderChat } from "./openai-chat/index.ts";
import type { Message, Part } from "../../schemas/types.ts";

type Fields = Record<string, unknown>;
type Block = { type: string; [key: string]: unknown };

const model = "m";
const text = fc.string({ unit: "grapheme", maxLength: 10 }).map((some) => `${some}.`);
const textPart = text.map((some): Part => ({ type: "text", text: some }));
const image = fc.constantFrom<Part>(
  { type: "image", media_type: "image/png", data: "AA==" },
  { type: "image", url: "https://example.com/a.png" },
);
const pdf = fc.constant<Part>({ type: "document", media_type: "application/pdf", data: "AA==", title: "T" });
const user = fc.array(fc.oneof(textPart, image, pdf), { minLength: 1, maxLength: 3 });

/** One response and its results. Whatever an id may have, in a form that every provider accepts. */
const turn = fc.record({
  user,
  thinking: fc.option(text),
  text: fc.option(text),
  calls: fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-z_]{1,8}$/),
      input: fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()).filter(isPlain),
      output: text,
      is_error: fc.boolean(),
      parts: fc.option(fc.array(fc.oneof(textPart, image), { minLength: 1, maxLength: 2 })),
    }),
    { maxLength: 3 },
  ),
});
const turns = fc.array(turn, { minLength: 1, maxLength: 4 });
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** An adapter sends no half of a surrogate pair, and `__proto__` is no key like others. */
function isPlain(input: Fields): boolean {
  return !/\\ud[89a-f]|__proto__/i.test(JSON.stringify(input));
}

interface Format {
  opaque: Fields;
  /** What a result may have beside a text. */
  carriesErrors: boolean;
  carriesParts: boolean;
  send(messages: Message[]): Fields[];
  read(wire: Fields[]): Message[];
}

function session(list: Turn[], { opaque, carriesErrors, carriesParts }: Format): Message[] {
  return list.flatMap((one, place) => {
    const id = (at: number) => `call_${place}_${at}`;
    return [
      { role: "user", content: one.user },
      ...(one.thinking === null ? [] : [{ type: "thinking", content: one.thinking, opaque: { model, ...opaque } }]),
      // Thinking alone is not sent by every format.
      ...(one.text === null && (one.thinking === null || one.calls.length > 0)
        ? []
        : [{ role: "assistant", content: one.text ?? "." }]),
      ...one.calls.map(({ name, input }, at) => ({
        type: "tool_call",
        id: id(at),
        name,
        input: JSON.parse(JSON.stringify(input)) as Fields,
      })),
      ...one.calls.map(({ output, parts, is_error }, at) => ({
        type: "tool_result",
        id: id(at),
        output: carriesParts && !is_error ? (parts ?? output) : output, // an error goes back with texts alone
        ...(carriesErrors && is_error && { is_error }),
      })),
    ] as Message[];
  });
}

/** Users who speak one after the other are one, with parts: a format may join them. */
function joined(messages: Message[]): Message[] {
  const list: Message[] = [];
  for (const message of messages) {
    const last = list.at(-1);
    if (message.role === "user" && last?.role === "user") {
      list[list.length - 1] = { role: "user", content: [...(last.content as Part[]), ...(message.content as Part[])] };
    } else list.push(message);
  }
  return list;
}

const anthropic: Format = {
  opaque: { provider: "anthropic-messages", signature: "s" },
  carriesErrors: true,
  carriesParts: true,
  send: (messages) => renderAnthropic({ messages, tools: [] }, { model }).body.messages as Fields[],
  read: (wire) =>
    wire.flatMap(({ role, content }) => {
      const blocks = content as Block[];
      if (role === "assistant") return blocks.map(readBlock);
      const results = blocks.filter(({ type }) => type === "tool_result");
      const said = blocks.filter(({ type }) => type !== "tool_result").map(readPart);
      return [...results.map(readResult), ...(said.length > 0 ? [{ role: "user" as const, content: said }] : [])];
    }),
};

function readBlock({ type, text, thinking, signature, ...call }: Block): Message {
  if (type === "text") return { role: "assistant", content: text as string };
  if (type === "tool_use") return { type: "tool_call", ...call } as unknown as Message;
  const opaque = { provider: "anthropic-messages", model, signature };
  return { type: "thinking", content: thinking as string, opaque };
}

function readResult({ type, tool_use_id: id, content, ...rest }: Block): Message {
  const output = Array.isArray(content) ? content.map(readPart) : content;
  return { type, id, output, ...rest } as unknown as Message;
}

function readPart({ type, source, ...rest }: Block): Part {
  const { type: _type, ...given } = (source ?? {}) as Fields;
  return { type, ...given, ...rest } as unknown as Part;
}

const chat: Format = {
  opaque: { provider: "openai-chat", field: "reasoning_content" },
  carriesErrors: false,
  carriesParts: false,
  send: (messages) => renderChat({ messages, tools: [] }, { model }).body.messages as Fields[],
  read: (wire) => wire.flatMap(readChatMessage),
};

function readChatMessage({ role, content, reasoning_content, tool_calls, tool_call_id }: Fields): Message[] {
  if (role === "tool") return [{ type: "tool_result", id: tool_call_id as string, output: content as string }];
  if (role === "user") return [{ role, content: (content as Block[]).map(readChatPart) }];
  const calls = (tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[];
  const opaque = { provider: "openai-chat", model, field: "reasoning_content" };
  return [
    ...(typeof reasoning_content === "string"
      ? [{ type: "thinking" as const, content: reasoning_content, opaque }]
      : []),
    ...(content === null ? [] : [{ role: "assistant" as const, content: content as string }]),
    ...calls.map(({ id, function: { name, arguments: written } }): Message => {
      return { type: "tool_call", id, name, input: JSON.parse(written) as Fields };
    }),
  ];
}

function readChatPart({ type, text, image_url, file }: Block): Part {
  if (type === "text") return { type, text: text as string };
  const { filename, file_data } = (file ?? {}) as Record<string, string>;
  const address = file_data ?? (image_url as { url: string }).url;
  const [, media_type, data] = /^data:(.*?);base64,(.*)$/.exec(address) ?? [];
  if (type === "file") return { type: "document", media_type, data, title: filename } as Part;
  return data === undefined ? { type: "image", url: address } : ({ type: "image", media_type, data } as Part);
}

test.each([
  ["anthropic-messages", anthropic],
  ["openai-chat", chat],
])("%s gives back what it was given", (_name, format) => {
  fc.assert(
    fc.property(turns, (list) => {
      const messages = session(list, format);
      const wire = JSON.parse(JSON.stringify(format.send(messages))) as Fields[];
      expect(joined(format.read(wire))).toEqual(joined(messages));
    }),
  );
});
