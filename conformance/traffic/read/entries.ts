// What `show` shows of a conversation: one entry for each message or event.

import type { LoopError, Message, Part, Usage } from "../../../schemas/types.ts";

/** Its author, or its kind. */
export type EntryKind =
  | "heading"
  | "system"
  | "user"
  | "assistant"
  | "thinking"
  | "call"
  | "result"
  | "item"
  | "note"
  | "warning"
  | "error";

/** One message or event. */
export interface Entry {
  kind: EntryKind;
  text: string;
  /** What belongs to it but was not said: an id, an outcome. */
  aside?: string;
}

/** A message as an entry. */
export function entryOf(message: Message): Entry {
  const status = message.role !== "system" && message.role !== "user" && message.status ? [message.status] : [];
  switch (message.type) {
    case "thinking":
      return entry("thinking", message.content === "" ? "(sealed)" : message.content, status);
    case "tool_call": {
      const written = message.input === null ? (message.raw_input ?? "") : JSON.stringify(message.input);
      return entry("call", `${message.name} ${written}`, [message.id, ...status]);
    }
    case "tool_result": {
      const { id, outcome, synthetic } = message;
      const aside = [id, ...(outcome ? [outcome] : []), ...(synthetic ? ["synthetic"] : []), ...status];
      return entry(message.is_error ? "error" : "result", textOf(message.output), aside);
    }
    case "provider_item":
      return entry("item", JSON.stringify(message.item), [message.provider, ...status]);
    default:
      // A type that this version does not know is kept in a session, and shown as it is. [SESSION-2]
      return "role" in message
        ? entry(message.role, textOf(message.content), status)
        : entry("item", JSON.stringify(message));
  }
}

/** Why a call failed, as an entry. */
export function errorEntry({ kind, message, status, retry_after_ms }: LoopError): Entry {
  const wait = retry_after_ms === undefined ? [] : [`again after ${retry_after_ms} ms`];
  return entry("error", message, [kind, ...(status === undefined ? [] : [`status ${status}`]), ...wait]);
}

/** What was counted, in words; nothing where nothing is known. */
export function usageText(usage: Usage | null | undefined): string | undefined {
  if (!usage || (usage.input_tokens === null && usage.output_tokens === null)) return undefined;
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens } = usage;
  const part = (count: number | null, name: string) => (count ? [`${count} ${name}`] : []);
  const inside = (parts: string[]) => (parts.length === 0 ? "" : ` (${parts.join(", ")})`);
  const input = inside([...part(cache_read_tokens, "from the cache"), ...part(cache_write_tokens, "into the cache")]);
  const output = inside(part(reasoning_tokens, "for reasoning"));
  return `${input_tokens ?? "?"} tokens in${input}, ${output_tokens ?? "?"} out${output}`;
}

/** A content or an output as text; what is no text is named. */
function textOf(content: string | Part[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

function entry(kind: EntryKind, text: string, aside: string[] = []): Entry {
  return { kind, text, ...(aside.length > 0 && { aside: aside.join(" · ") }) };
}
