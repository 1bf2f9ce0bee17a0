// Reads recorded requests of the Chat Completions API.

import { isRecord, parseArguments } from "../../../../../reference/providers/shared/arguments.ts";
import type { Message, Part } from "../../../../../schemas/types.ts";
import type { Fields } from "../../recording.ts";
import {
  createNaming,
  type Entry,
  foreignPart,
  joinLeadingSystem,
  partsOf,
  type WireFormat,
  without,
} from "../../wire-form.ts";

const provider = "openai-chat";
const reasoning = ["reasoning_details", "reasoning_content", "reasoning"];

export const wire: WireFormat = { read, entries, toolNames };

function read(body: Fields): Message[] {
  const model = String(body.model);
  return (body.messages as Fields[]).flatMap((message) => readMessage(message, model));
}

function readMessage(message: Fields, model: string): Message[] {
  const { role, content, tool_call_id } = message;
  if (role === "system" || role === "developer") return [{ role: "system", content: textOf(content) }];
  if (role === "user")
    return [{ role: "user", content: typeof content === "string" ? content : partsOf(content).map(readPart) }];
  if (role === "tool") return [{ type: "tool_result", id: String(tool_call_id), output: textOf(content, "\n") }];
  if (role === "function") return [{ type: "tool_result", id: String(message.name), output: textOf(content) }];
  const text = textOf(content) + String(message.refusal ?? "");
  const field = reasoning.find((name) => message[name]);
  const thought = field
    ? { content: String(message[field]), opaque: { provider, model, field, [field]: message[field] } }
    : undefined;
  return [
    ...(thought ? [{ type: "thinking", ...thought } as const] : []),
    ...(text === "" ? [] : [{ role: "assistant", content: text } as const]),
    ...callsOf(message).map((call) => readCall(call, model)),
  ];
}

function callsOf(message: Fields): Fields[] {
  const legacy = isRecord(message.function_call)
    ? [{ id: message.function_call.name, function: message.function_call }]
    : [];
  return [...((message.tool_calls as Fields[] | null | undefined) ?? []), ...legacy];
}

function readCall({ id, type, function: called, custom, index: _index, ...rest }: Fields, model: string): Message {
  const { name, arguments: written, input } = (custom ?? called) as Fields;
  const kept = custom ? { type, ...rest } : rest;
  const opaque = Object.keys(kept).length > 0 ? { opaque: { provider, model, ...kept } } : {};
  const given = custom ? { input: { input } } : parseArguments(String(written ?? ""));
  return { type: "tool_call", id: String(id), name: String(name), ...given, ...opaque };
}

function readPart(part: Fields): Part {
  if (part.type === "text") return { type: "text", text: String(part.text) };
  const { url, ...settings } = (part.image_url ?? {}) as Fields;
  if (part.type === "image_url" && Object.keys(settings).length === 0) return { type: "image", url: String(url) };
  return foreignPart(provider, part);
}

function textOf(content: unknown, separator = ""): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .map((part) => String(part.text ?? ""))
    .join(separator);
}

function entries(body: Fields): Entry[] {
  const name = createNaming();
  return joinLeadingSystem((body.messages as Fields[]).flatMap((message) => entriesOf(message, name)));
}

function entriesOf(message: Fields, name: (id: unknown) => string): Entry[] {
  const { role, content } = message;
  if (role === "system" || role === "developer") return [{ kind: "system", says: textOf(content) }];
  if (role === "user") return partsOf(content).map((part) => ({ kind: "user", says: without(part) }));
  if (role === "tool")
    return [{ kind: "result", says: { id: name(message.tool_call_id), content: textOf(content, "\n") } }];
  if (role === "function") return [{ kind: "result", says: { id: name(message.name), content: textOf(content) } }];
  const text = textOf(content) + String(message.refusal ?? "");
  const thought = reasoning.flatMap((field): Entry[] =>
    message[field] ? [{ kind: "thinking", says: message[field] }] : [],
  );
  const audio: Entry[] = isRecord(message.audio) ? [{ kind: "item", says: message.audio }] : [];
  const calls = callsOf(message).map((call): Entry => ({ kind: "call", says: callOf(call, name) }));
  return [...thought, ...audio, ...(text.trim() === "" ? [] : [{ kind: "text", says: text } as const]), ...calls];
}

function callOf(
  { id, function: called, custom, index: _index, type: _type, ...rest }: Fields,
  name: (id: unknown) => string,
): Fields {
  const { name: tool, arguments: written, input } = (custom ?? called) as Fields;
  const { input: parsed, raw_input } = parseArguments(String(written ?? ""));
  return without({ ...rest, id: name(id), name: tool, arguments: custom ? input : (parsed ?? raw_input) });
}

function toolNames(body: Fields): string[] {
  const tools = ((body.tools as Fields[] | undefined) ?? []).map(
    (tool) => (tool.function ?? tool.custom) as Fields | undefined,
  );
  const functions = (body.functions as Fields[] | undefined) ?? [];
  return [...tools, ...functions].flatMap((tool) => (tool?.name === undefined ? [] : [String(tool.name)]));
}
