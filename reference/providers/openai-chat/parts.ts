// Renders the parts of messages as the Chat Completions API has them: content parts, and the ids and names that it accepts.

import { legalName } from "../shared/arguments.ts";
import { openaiChatLosses as losses } from "../shared/losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import type { DocumentPart, ImagePart, Part } from "../../../schemas/types.ts";

export const PROVIDER = "openai-chat";

/** A JSON object of the API. */
export type Fields = Record<string, unknown>;

/** The content part for a part; none if it is empty or the format cannot carry it. @see PROVIDER-11 */
export function renderPart(part: Part, warn: WarnOfLoss): Fields[] {
  switch (part.type) {
    case "text":
      if (part.text !== "") return [{ type: "text", text: part.text }];
      warn(losses.emptyPart, "an empty text part was left out");
      return [];
    case "image":
      return [{ type: "image_url", image_url: { url: part.url ?? dataUrl(part) } }];
    case "document":
      return renderDocument(part, warn);
    default:
      return renderForeignPart(part, warn);
  }
}

function renderDocument(part: DocumentPart, warn: WarnOfLoss): Fields[] {
  if (part.data === undefined) {
    warn(losses.document, "a document given by its URL was left out: this format takes documents only as data");
    return [];
  }
  if (part.media_type === "text/plain") return [{ type: "text", text: decodeText(part.data) }];
  const filename = part.title ?? `document.${part.media_type?.split("/").at(-1) ?? "bin"}`;
  return [{ type: "file", file: { filename, file_data: dataUrl(part) } }];
}

/** A part that an application took from this provider, `{type: "provider_item", provider, item}`, goes back as it is. */
function renderForeignPart(part: { type: string }, warn: WarnOfLoss): Fields[] {
  const { provider, item } = part as { provider?: unknown; item?: unknown };
  if (part.type === "provider_item" && provider === PROVIDER) return [item as Fields];
  warn(losses.unknown, `a part of the unknown type ${part.type} was left out`);
  return [];
}

function dataUrl(part: ImagePart | DocumentPart): string {
  return `data:${part.media_type ?? "application/octet-stream"};base64,${part.data ?? ""}`;
}

function decodeText(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

/** @see CHAT-22 */
export function legalToolName(name: string, warn: WarnOfLoss): string {
  return legal(name, /^[a-zA-Z0-9_-]+$/, 64, warn);
}

/** @see CHAT-7 */
export function legalId(id: string, warn: WarnOfLoss): string {
  return legal(id, /^/, 40, warn);
}

function legal(name: string, pattern: RegExp, length: number, warn: WarnOfLoss): string {
  const accepted = legalName(name, pattern, length);
  if (accepted !== name)
    warn(losses.name, `${JSON.stringify(name)} is sent as ${accepted}: the API refuses it as it is`);
  return accepted;
}
