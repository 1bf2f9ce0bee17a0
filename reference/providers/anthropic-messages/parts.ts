// Renders the parts of messages as Anthropic's Messages API has them: content blocks, and the ids and names that it accepts.

import { legalName } from "../shared/arguments.ts";
import { anthropicMessagesLosses as losses } from "../shared/losses.ts";
import type { RenderWarning, WarnOfLoss } from "../shared/losses.ts";
import type { Part } from "../../../schemas/types.ts";

export const PROVIDER = "anthropic-messages";

/** A content block as the API has it. */
export type Block = Record<string, unknown>;

/** Hears of losses, and keeps them as warnings. */
export function warnInto(warnings: RenderWarning[]): WarnOfLoss {
  return ({ code }, message) => void warnings.push({ code, message });
}

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
        const text = new TextDecoder().decode(Uint8Array.from(atob(part.data), (char) => char.charCodeAt(0)));
        return [{ type: "document", source: { type: "text", media_type: "text/plain", data: text }, ...title }];
      }
      warn(
        losses.document,
        `a document of type ${part.media_type ?? "unknown"} was left out: it is neither PDF nor text`,
      );
      return [];
    }
    default:
      return renderForeignPart(part, warn);
  }
}

/** A part that an application took from this provider, `{type: "provider_item", provider, item}`, goes back as it is. */
function renderForeignPart(part: { type: string }, warn: WarnOfLoss): Block[] {
  const { provider, item } = part as { provider?: unknown; item?: unknown };
  if (part.type === "provider_item" && provider === PROVIDER) return [item as Block];
  warn(losses.unknown, `a part of the unknown type ${part.type} was left out`);
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

/** The API takes ids of these characters, of any length. @see ANTHROPIC-12 */
export function legalId(id: string, warn: WarnOfLoss): string {
  return legal(id, 256, warn);
}

/** @see ANTHROPIC-21 */
export function legalToolName(name: string, warn: WarnOfLoss): string {
  return legal(name, 128, warn);
}

function legal(name: string, length: number, warn: WarnOfLoss): string {
  const accepted = legalName(name, /^[a-zA-Z0-9_-]+$/, length);
  if (accepted !== name)
    warn(losses.name, `${JSON.stringify(name)} is sent as ${accepted}: the API refuses it as it is`);
  return accepted;
}
