// Renders the parts of user messages and tool results as content blocks of Anthropic's Messages API.

import type { Part, WarningCode } from "../types.ts";

export const PROVIDER = "anthropic-messages";

/** A content block as the API has it. */
export type Block = Record<string, unknown>;

type Warn = (code: WarningCode, message: string) => void;

/** The blocks of a part; none if it is blank or cannot be sent. @see ANTHROPIC-8 ANTHROPIC-13 */
export function renderPart(part: Part, warn: Warn): Block[] {
  switch (part.type) {
    case "text":
      return isBlank(part.text) ? [] : [{ type: "text", text: part.text }];
    case "image":
      return [{ type: "image", source: renderSource(part) }];
    case "document": {
      const title = part.title === undefined ? {} : { title: part.title };
      if (part.url !== undefined || part.media_type === "application/pdf") {
        return [{ type: "document", source: renderSource(part), ...title }];
      }
      if (part.media_type === "text/plain" && part.data !== undefined) {
        const text = new TextDecoder().decode(Uint8Array.from(atob(part.data), (char) => char.charCodeAt(0)));
        return [{ type: "document", source: { type: "text", media_type: "text/plain", data: text }, ...title }];
      }
      warn(
        "part_dropped",
        `a document of type ${part.media_type ?? "unknown"} was left out: it is neither PDF nor text`,
      );
      return [];
    }
    default:
      return renderForeignPart(part, warn);
  }
}

/** A part that an application took from this provider, `{type: "provider_item", provider, item}`, goes back as it is. */
function renderForeignPart(part: { type: string }, warn: Warn): Block[] {
  const { provider, item } = part as { provider?: unknown; item?: unknown };
  if (part.type === "provider_item" && provider === PROVIDER) return [item as Block];
  warn("part_dropped", `a part of the unknown type ${part.type} was left out`);
  return [];
}

function renderSource(part: { media_type?: string; data?: string; url?: string }): Block {
  if (part.url !== undefined) return { type: "url", url: part.url };
  return { type: "base64", media_type: part.media_type, data: part.data };
}

/** True if there is nothing but white space, which the API refuses as a text. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}
