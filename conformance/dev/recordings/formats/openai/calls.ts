// What the two formats of OpenAI have in common: the arguments of a call, and a message of the adapter.

import { isRecord } from "../../../../../reference/providers/shared/arguments.ts";
import type { Message } from "../../../../../schemas/types.ts";
import type { Fields } from "../../recording.ts";

/** The arguments of a call, as the text in which they are written. */
export function parsed(written: unknown): unknown {
  const text = typeof written === "string" ? written : JSON.stringify(written ?? "");
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : { unreadable: text };
  } catch {
    return { unreadable: text };
  }
}

/** A message of the adapter, in the form of what the SDK gives. */
export function readMessage(message: Message): Fields[] {
  if (message.role === "assistant") return [{ text: message.content }];
  if (message.type !== "tool_call") return [];
  const input = message.input ?? { unreadable: message.raw_input };
  return [{ call: message.name, id: message.id, input }];
}
