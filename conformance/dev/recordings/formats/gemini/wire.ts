// Reads recorded requests of Gemini, under whichever of its two spellings their fields are.

import type { Message, Part } from "../../../../../schemas/types.ts";
import type { Fields } from "../../recording.ts";
import { createNaming, type Entry, foreignPart, type WireFormat, without } from "../../wire-form.ts";

const provider = "gemini";

export const wire: WireFormat = { read, entries, toolNames };

type Naming = (id: unknown) => string;

function read(body: Fields): Message[] {
  const system = systemOf(body);
  const rest = contentsOf(body).flatMap(({ role, parts }, at, all) => readContent(role, parts, at, all));
  return [...(system === "" ? [] : [{ role: "system", content: system } as const]), ...rest];
}

interface Content {
  role: unknown;
  parts: Fields[];
}

/** Calls without ids are named by their places, and results by those of the calls that they answer. */
function readContent(role: unknown, parts: Fields[], at: number, all: readonly Content[]): Message[] {
  if (role === "model") return parts.map((part, index) => readPart(part, `${at}.${index}`));
  const ids = idsBefore(all, at);
  const results = parts.filter((part) => part.functionResponse);
  const others = parts.filter((part) => !part.functionResponse).map(userPart);
  const read = results.map((part, index): Message => {
    const { id, response = {}, parts: media = [] } = part.functionResponse as Fields;
    const { output, error } = response as { output?: unknown; error?: unknown };
    const text = error ?? output ?? JSON.stringify(response);
    const written = typeof text === "string" ? text : JSON.stringify(text);
    const seen = (media as Fields[]).map(userPart);
    return {
      type: "tool_result",
      id: typeof id === "string" ? id : (ids[index] ?? ""),
      output: seen.length === 0 ? written : [{ type: "text", text: written }, ...seen],
      ...(error !== undefined && { is_error: true }),
    };
  });
  return others.length === 0 ? read : [...read, { role: "user", content: others }];
}

function idsBefore(all: readonly Content[], at: number): string[] {
  const from = all.findLastIndex(({ role }, index) => index < at && role === "model");
  const calls = (all[from]?.parts ?? []).flatMap((part, index) => (part.functionCall ? [`${from}.${index}`] : []));
  const answered = all.slice(from + 1, at).flatMap(({ parts }) => parts.filter((part) => part.functionResponse));
  return calls.slice(answered.length);
}

function readPart(part: Fields, place: string): Message {
  const { text, thought, thoughtSignature: signature, functionCall } = part;
  const opaque = { opaque: { provider, model: "", ...(signature !== undefined && { signature }) } };
  if (functionCall) {
    const { id = place, name, args = {} } = functionCall as { id?: string; name: string; args?: Fields };
    return { type: "tool_call", id, name, input: args, ...opaque };
  }
  if (typeof text === "string" && thought === true) return { type: "thinking", content: text, ...opaque };
  if (typeof text === "string") return { role: "assistant", content: text, ...(signature !== undefined && opaque) };
  return { type: "provider_item", provider, item: part };
}

function userPart(part: Fields): Part {
  const { text, inlineData, ...rest } = part;
  if (typeof text === "string") return { type: "text", text };
  const { mimeType, data } = (inlineData ?? {}) as { mimeType?: string; data?: string };
  if (!inlineData || Object.keys(rest).length > 0) return foreignPart(provider, part);
  const type = mimeType?.startsWith("image/") ? "image" : "document";
  return { type, ...(mimeType !== undefined && { media_type: mimeType }), ...(data !== undefined && { data }) };
}

function entries(body: Fields): Entry[] {
  const name = createNaming();
  const system = systemOf(body);
  const all = contentsOf(body);
  const inParts = all.flatMap(({ role, parts }, at) => {
    const ids = idsBefore(all, at);
    let answered = 0;
    return parts.flatMap((part, index): Entry[] =>
      isNothing(part)
        ? []
        : [entryOf(role, part, (id) => name(id ?? (part.functionResponse ? ids[answered++] : `${at}.${index}`)))],
    );
  });
  return [...(system === "" ? [] : [{ kind: "system", says: system } as const]), ...inParts];
}

function entryOf(role: unknown, part: Fields, name: Naming): Entry {
  const { functionCall, functionResponse, ...rest } = part as Record<string, Fields>;
  if (functionCall) {
    const { id, args = {}, ...call } = functionCall;
    return { kind: "call", says: without({ ...rest, ...call, id: name(id), args }) };
  }
  if (functionResponse) return { kind: "result", says: { id: name(functionResponse.id), name: functionResponse.name } };
  if (part.thought === true) return { kind: "thinking", says: part };
  if (role !== "model") return { kind: "user", says: part };
  return { kind: "text" in part ? "text" : "item", says: part };
}

function isNothing({ text, thoughtSignature }: Fields): boolean {
  return text === "" && thoughtSignature === undefined;
}

function toolNames(body: Fields): string[] {
  return ((body.tools as Fields[] | undefined) ?? [])
    .flatMap((tool) => (camel(tool) as Fields).functionDeclarations as Fields[] | undefined)
    .flatMap((declared) => (declared === undefined ? [] : [String(declared.name)]));
}

function systemOf(body: Fields): string {
  const { parts = [] } = (body.systemInstruction ?? body.system_instruction ?? {}) as { parts?: Fields | Fields[] };
  return [parts]
    .flat()
    .map(({ text }) => String(text))
    .join("\n\n");
}

function contentsOf(body: Fields): Content[] {
  return ((body.contents ?? []) as Fields[]).map(({ role, parts }) => ({
    role: role ?? "user",
    parts: ([parts ?? []].flat() as Fields[]).map((part) => plain(camel(part) as Fields)),
  }));
}

/**
 * A part without what says nothing: that it is no thought, and the words in place of a signature. Signatures are bytes, in either of
 * the two alphabets of base64.
 */
function plain({ thought, thoughtSignature: signature, ...part }: Fields): Fields {
  const isSigned = signature !== undefined && signature !== "skip_thought_signature_validator";
  return {
    ...part,
    ...(thought === true && { thought }),
    ...(isSigned && { thoughtSignature: String(signature).replaceAll("-", "+").replaceAll("_", "/") }),
  };
}

/** The fields of parts in one spelling; what a model or a tool said is left as it is. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, ["args", "response", "parameters", "parametersJsonSchema"].includes(name) ? inner : camel(inner)];
    }),
  );
}
