// Renders the parts of user messages and tool results as content parts of the Chat Completions API.

import type { DocumentPart, ImagePart, Part, WarningCode } from "../types.ts";

export const PROVIDER = "openai-chat";

/** A JSON object of the API. */
export type Fields = Record<string, unknown>;

type Warn = (code: WarningCode, message: string) => void;

/** The content part for a part; none if it is empty or the format cannot carry it. @see PROVIDER-11 */
export function renderPart(part: Part, warn: Warn): Fields[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "image":
      return [{ type: "image_url", image_url: { url: part.url ?? dataUrl(part) } }];
    case "document":
      return renderDocument(part, warn);
    default:
      return renderForeignPart(part, warn);
  }
}

function renderDocument(part: DocumentPart, warn: Warn): Fields[] {
  if (part.data === undefined) {
    warn("part_dropped", "a document given by its URL was left out: this format takes documents only as data");
    return [];
  }
  if (part.media_type === "text/plain") return [{ type: "text", text: decodeText(part.data) }];
  const filename = part.title ?? `document.${part.media_type?.split("/").at(-1) ?? "bin"}`;
  return [{ type: "file", file: { filename, file_data: dataUrl(part) } }];
}

/** A part that an application took from this provider, `{type: "provider_item", provider, item}`, goes back as it is. */
function renderForeignPart(part: { type: string }, warn: Warn): Fields[] {
  const { provider, item } = part as { provider?: unknown; item?: unknown };
  if (part.type === "provider_item" && provider === PROVIDER) return [item as Fields];
  warn("part_dropped", `a part of the unknown type ${part.type} was left out`);
  return [];
}

function dataUrl(part: ImagePart | DocumentPart): string {
  return `data:${part.media_type ?? "application/octet-stream"};base64,${part.data ?? ""}`;
}

function decodeText(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}
