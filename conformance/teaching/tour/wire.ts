// What the messages of a session are on the wire of one provider: OpenAI's Responses API, without streams and reasoning.

import type { Message, Tool } from "../../../schemas/types.ts";

/** One item of a response's `output`. */
export type Item =
  | { type: "message"; content: { text: string }[] }
  | { type: "function_call"; call_id: string; name: string; arguments: string };

/** A message as it is sent. */
export function toWire(message: Message): object {
  if (message.type === "tool_call") {
    const { id, name, input } = message;
    return { type: "function_call", call_id: id, name, arguments: JSON.stringify(input ?? {}) }; // [PROVIDER-10]
  }
  if (message.type === "tool_result")
    return { type: "function_call_output", call_id: message.id, output: message.output };
  return message;
}

/** A tool as it is declared to the model. */
export function toolToWire({ name, description, input_schema }: Tool): object {
  return { type: "function", name, description, parameters: input_schema, strict: false };
}

/** An item as it is stored. */
export function fromWire(item: Item): Message {
  if (item.type === "message") return { role: "assistant", content: item.content.map(({ text }) => text).join("") };
  const { call_id: id, name, arguments: raw_input } = item;
  const input = objectIn(raw_input);
  return { type: "tool_call", id, name, input, ...(input === null && { raw_input }) };
}

function objectIn(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json.trim() || "{}"); // [TOOL-1]
    return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
