// Reads recorded requests of the Responses API.

import { parseArguments } from "../../../../../reference/providers/shared/arguments.ts";
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

const provider = "openai-responses";

export const wire: WireFormat = { read, entries, toolNames };

function itemsOf({ input }: Fields): Fields[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : ((input ?? []) as Fields[]);
}

function read(body: Fields): Message[] {
  const model = String(body.model);
  const instructions: Message[] = body.instructions ? [{ role: "system", content: String(body.instructions) }] : [];
  return [...instructions, ...itemsOf(body).flatMap((item) => readItem(item, model))];
}

function readItem(item: Fields, model: string): Message[] {
  const { type = "message", role, content, call_id, name, output, ...rest } = item;
  const made = (fields: Fields) => ({ opaque: { provider, model, ...without(fields) } });
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return [{ type: "tool_result", id: String(call_id), output: outputOf(output) }];
  }
  if (type === "function_call") {
    const { arguments: written, ...fields } = rest;
    const called = { id: String(call_id), name: String(name), ...parseArguments(String(written)) };
    return [{ type: "tool_call", ...called, ...made(fields) }];
  }
  if (type === "custom_tool_call") {
    const { input, ...fields } = rest;
    return [
      { type: "tool_call", id: String(call_id), name: String(name), input: { input }, ...made({ type, ...fields }) },
    ];
  }
  if (type === "reasoning") {
    const { summary, ...fields } = rest;
    const kept = { ...made({ ...fields, content }) };
    return [{ type: "thinking", content: "", opaque: { ...kept.opaque, summary } }];
  }
  if (type !== "message") return [{ type: "provider_item", provider, model, item }];
  if (role === "system" || role === "developer") return [{ role: "system", content: textOf(content) }];
  if (role === "user") {
    return [{ role: "user", content: typeof content === "string" ? content : partsOf(content).map(readPart) }];
  }
  if (typeof content === "string") return content === "" ? [] : [{ role: "assistant", content }];
  return partsOf(content).flatMap(({ text, refusal, type: kind, ...part }): Message[] => {
    const words = String(text ?? refusal ?? "");
    const refused = kind === "refusal" ? { type: kind } : {};
    return words === "" ? [] : [{ role: "assistant", content: words, ...made({ ...rest, ...part, ...refused }) }];
  });
}

function outputOf(output: unknown): string | Part[] {
  return typeof output === "string" ? output : partsOf(output).map(readPart);
}

function readPart(part: Fields): Part {
  return part.type === "input_text" ? { type: "text", text: String(part.text) } : foreignPart(provider, part);
}

function textOf(content: unknown): string {
  return partsOf(content)
    .map((part) => String(part.text ?? part.refusal ?? ""))
    .join("");
}

function entries(body: Fields): Entry[] {
  const name = createNaming();
  return joinLeadingSystem([
    ...(body.instructions ? [{ kind: "system", says: String(body.instructions) } as const] : []),
    ...(body.previous_response_id ? [{ kind: "item", says: body.previous_response_id } as const] : []),
    ...itemsOf(body).flatMap((item) => entriesOf(item, name)),
  ]);
}

/** What an item says, without its ids, which some clients leave out and some servers change. */
function entriesOf(item: Fields, name: (id: unknown) => string): Entry[] {
  const { type = "message", id: _id, status: _status, ...said } = item;
  switch (type) {
    case "function_call":
    case "custom_tool_call":
      return [{ kind: "call", says: callOf(said, name) }];
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ kind: "result", says: { type, id: name(said.call_id), output: withoutBreakpoints(said.output) } }];
    case "reasoning":
      return [{ kind: "thinking", says: without(said) }];
    case "message":
      return entriesOfMessage(said);
    default:
      return [{ kind: "item", says: { ...without(said), type } }];
  }
}

function withoutBreakpoints(output: unknown): unknown {
  return Array.isArray(output) ? (output as Fields[]).map((part) => without(part, "prompt_cache_breakpoint")) : output;
}

function entriesOfMessage({ role, content }: Fields): Entry[] {
  if (role === "system" || role === "developer") return [{ kind: "system", says: textOf(content) }];
  if (role !== "user") {
    return partsOf(content).flatMap((part) => {
      const text = String(part.text ?? part.refusal ?? "");
      return text.trim() === "" ? [] : [{ kind: "text", says: text } as const];
    });
  }
  return partsOf(content)
    .map((part) => (part.type === "text" ? { ...part, type: "input_text" } : part))
    .map((part) => ({ kind: "user", says: without(part) }));
}

function callOf(
  { arguments: written, input, call_id, name: tool, caller: _caller, ...rest }: Fields,
  name: (id: unknown) => string,
): Fields {
  const { input: parsed, raw_input } = parseArguments(String(written ?? ""));
  return without({ ...rest, id: name(call_id), name: tool, arguments: input ?? parsed ?? raw_input });
}

function toolNames(body: Fields): string[] {
  const tools = (body.tools as Fields[] | undefined) ?? [];
  const inside: Fields[] = tools.flatMap((tool) => (tool.type === "namespace" ? (tool.tools as Fields[]) : [tool]));
  return inside.flatMap(({ type, name }) => (type === "function" || type === "custom" ? [String(name)] : []));
}
