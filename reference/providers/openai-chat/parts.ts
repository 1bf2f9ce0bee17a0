// Renders the parts of messages as the Chat Completions API has them: content parts, and the ids and names that it accepts.

import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import { dataUrl, fileName } from "../openai/parts.ts";
import { acceptedName, decodeText, foreignPart, type Fields } from "../shared/parts.ts";
import type { DocumentPart, Part } from "../../../schemas/types.ts";

export const PROVIDER = "openai-chat";

export type { Fields };

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
      return foreignPart(part, PROVIDER, losses.unknown, warn);
  }
}

function renderDocument(part: DocumentPart, warn: WarnOfLoss): Fields[] {
  if (part.data === undefined) {
    warn(losses.document, "a document given by its URL was left out: this format takes documents only as data");
    return [];
  }
  if (part.media_type === "text/plain") return [{ type: "text", text: decodeText(part.data) }];
  return [{ type: "file", file: { filename: fileName(part), file_data: dataUrl(part) } }];
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
  return acceptedName(name, pattern, length, losses.name, warn);
}
