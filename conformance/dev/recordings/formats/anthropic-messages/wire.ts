// Reads recorded requests of the Messages API.

import type { Message, Part } from "../../../../../schemas/types.ts";
import type { Fields } from "../../recording.ts";
import { createNaming, type Entry, foreignPart, partsOf, type WireFormat, without } from "../../wire-form.ts";

const provider = "anthropic-messages";

export const wire: WireFormat = { read, entries, toolNames };

function read(body: Fields): Message[] {
  const model = String(body.model);
  const system = partsOf(body.system).map((part): Message => ({ role: "system", content: String(part.text) }));
  const rest = (body.messages as Fields[]).flatMap((message) => readMessage(message, model));
  return [...system, ...rest];
}

function readMessage({ role, content }: Fields, model: string): Message[] {
  const blocks = partsOf(content);
  if (role === "assistant") return blocks.map((block) => readBlock(block, model));
  if (role === "system")
    return blocks.map((block) => ({ role: "system", content: String(block.text ?? `[${String(block.type)}]`) }));
  const results = blocks.filter((block) => block.type === "tool_result");
  const parts = blocks.filter((block) => block.type !== "tool_result").map(readPart);
  const userMessages: Message[] = parts.length > 0 ? [{ role: "user", content: parts }] : [];
  return [...results.map(readResult), ...userMessages];
}

function readBlock(block: Fields, model: string): Message {
  const { type, text, thinking, data, id, name, input, ...rest } = block;
  const opaque = { opaque: { provider, model, ...rest } };
  if (type === "text") return { role: "assistant", content: String(text), ...(Object.keys(rest).length > 0 && opaque) };
  if (type === "thinking") return { type: "thinking", content: String(thinking), ...opaque };
  if (type === "redacted_thinking")
    return { type: "thinking", content: "", opaque: { provider, model, redacted: data } };
  if (type === "tool_use") {
    const call = { type: "tool_call", id: String(id), name: String(name), input: input as Fields } as const;
    return Object.keys(rest).length > 0 ? { ...call, ...opaque } : call;
  }
  return { type: "provider_item", provider, model, item: block };
}

function readResult(block: Fields): Message {
  const { tool_use_id, content, is_error } = block;
  const output = typeof content === "string" ? content : partsOf(content).map(readPart);
  return { type: "tool_result", id: String(tool_use_id), output, ...(is_error === true && { is_error }) };
}

function readPart(part: Fields): Part {
  const source = (part.source ?? {}) as { type?: string; url?: string; media_type?: string; data?: string };
  const plain = Object.keys(part).every((key) => ["type", "text", "source", "title"].includes(key));
  if (part.type === "text" && plain) return { type: "text", text: String(part.text) };
  if (
    (part.type === "image" || part.type === "document") &&
    plain &&
    (source.type === "base64" || source.type === "url")
  ) {
    const { type: _type, ...given } = source;
    const title = typeof part.title === "string" ? { title: part.title } : {};
    return { type: part.type, ...given, ...title };
  }
  return foreignPart(provider, part);
}

function entries(body: Fields): Entry[] {
  const name = createNaming();
  const system = partsOf(body.system).map((part) => String(part.text));
  const requestEntries = (body.messages as Fields[]).flatMap(({ role, content }) =>
    partsOf(content).map((block) => entryOf(role, block, name)),
  );
  return [...(system.length > 0 ? [{ kind: "system", says: system.join("\n\n") } as const] : []), ...requestEntries];
}

function entryOf(role: unknown, block: Fields, name: (id: unknown) => string): Entry {
  const { type, id, tool_use_id, content, is_error, input, ...rest } = block;
  if (type === "tool_use") {
    const caller = (rest.caller as Fields | undefined)?.type === "direct" ? undefined : rest.caller;
    return { kind: "call", says: without({ ...rest, id: name(id), input, caller }) };
  }
  if (type === "tool_result")
    return { kind: "result", says: { id: name(tool_use_id), content: partsOf(content), is_error: is_error === true } };
  if (type === "thinking" || type === "redacted_thinking") return { kind: "thinking", says: without(block) };
  if (role === "system") return { kind: "system", says: block.text ?? block };
  if (role === "user") return { kind: "user", says: without(block) };
  return type === "text" ? { kind: "text", says: without(block) } : { kind: "item", says: without(block, "caller") };
}

function toolNames(body: Fields): string[] {
  const declared = ((body.tools as Fields[] | undefined) ?? []).filter((tool) => tool.input_schema !== undefined);
  return declared.map((tool) => String(tool.name));
}
