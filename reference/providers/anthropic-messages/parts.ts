// Renders the parts of messages as Anthropic's Messages API has them: content blocks, and the ids and names that it accepts.

import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import { acceptedName, decodeText, foreignPart } from "../shared/parts.ts";
import type { Part } from "../../../schemas/types.ts";

export const PROVIDER = "anthropic-messages";

/** A content block as the API has it. */
export type Block = Record<string, unknown>;

/** The blocks of a part; none if it is blank or cannot be sent. @see ANTHROPIC-8 ANTHROPIC-13 */
export function renderPart(part: Part, warn: WarnOfLoss): Block[] {
  switch (part.type) {
    case "text":
      if (!isBlank(part.text)) return [{ type: "text", text: part.text }];
      warn(losses.blankPart, "a text part without text was left out");
      return [];
    case "image":
      return [{ type: "image", source: renderSource(part) }];
    case "document": {
      const title = part.title === undefined ? {} : { title: part.title };
      if (part.url !== undefined || part.media_type === "application/pdf") {
        return [{ type: "document", source: renderSource(part), ...title }];
      }
      if (part.media_type === "text/plain" && part.data !== undefined) {
        const source = { type: "text", media_type: "text/plain", data: decodeText(part.data) };
        return [{ type: "document", source, ...title }];
      }
      warn(
        losses.document,
        `a document of type ${part.media_type ?? "unknown"} was left out: it is neither PDF nor text`,
      );
      return [];
    }
    default:
      return foreignPart(part, PROVIDER, losses.unknown, warn);
  }
}

function renderSource(part: { media_type?: string; data?: string; url?: string }): Block {
  if (part.url !== undefined) return { type: "url", url: part.url };
  return { type: "base64", media_type: part.media_type, data: part.data };
}

/** True if there is nothing but white space, which the API refuses as a text. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The API takes ids of these characters, of any length. @see ANTHROPIC-12 */
export function legalId(id: string, warn: WarnOfLoss): string {
  return legal(id, 256, warn);
}

/** @see ANTHROPIC-21 */
export function legalToolName(name: string, warn: WarnOfLoss): string {
  return legal(name, 128, warn);
}

function legal(name: string, length: number, warn: WarnOfLoss): string {
  return acceptedName(name, /^[a-zA-Z0-9_-]+$/, length, losses.name, warn);
}
