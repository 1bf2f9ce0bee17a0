// Renders the parts of messages as the Responses API has them: content parts, and the ids and names that it accepts.

import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import { dataUrl, fileName } from "../openai/parts.ts";
import { acceptedName, decodeText, foreignPart, type Fields } from "../shared/parts.ts";
import type { DocumentPart, Part } from "../../../schemas/types.ts";

export const PROVIDER = "openai-responses";

export type { Fields };

/** The content part for a part; none if it is empty or the format cannot carry it. @see PROVIDER-11 RESPONSES-8 */
export function renderPart(part: Part, warn: WarnOfLoss): Fields[] {
  switch (part.type) {
    case "text":
      if (part.text !== "") return [{ type: "input_text", text: part.text }];
      warn(losses.emptyPart, "an empty text part was left out");
      return [];
    case "image":
      return [{ type: "input_image", image_url: part.url ?? dataUrl(part), detail: "auto" }];
    case "document":
      return [renderDocument(part)];
    default:
      return foreignPart(part, PROVIDER, losses.unknown, warn);
  }
}

function renderDocument(part: DocumentPart): Fields {
  if (part.data === undefined) return { type: "input_file", file_url: part.url };
  if (part.media_type === "text/plain") return { type: "input_text", text: decodeText(part.data) };
  return { type: "input_file", filename: fileName(part), file_data: dataUrl(part) };
}

/** @see RESPONSES-14 */
export function legalToolName(name: string, warn: WarnOfLoss): string {
  return legal(name, /^[a-zA-Z0-9_-]+$/, warn);
}

/** @see RESPONSES-12 */
export function legalId(id: string, warn: WarnOfLoss): string {
  return legal(id, /^/, warn);
}

function legal(name: string, pattern: RegExp, warn: WarnOfLoss): string {
  return acceptedName(name, pattern, 64, losses.name, warn);
}
