// Renders what both of OpenAI's APIs take alike: the content of system and user messages, and images and documents as data.

import type { WarnedLoss, WarnOfLoss } from "../shared/losses.ts";
import type { Fields } from "../shared/parts.ts";
import type { DocumentPart, ImagePart, Part, SystemMessage, UserMessage } from "../../../schemas/types.ts";

/** What the content of a message may lose. */
interface ContentLosses {
  emptyMessage: WarnedLoss;
}

/** The content of a message, its parts as the API has them; none if nothing is in it. */
export function renderContent(
  message: SystemMessage | UserMessage,
  renderPart: (part: Part, warn: WarnOfLoss) => Fields[],
  losses: ContentLosses,
  warn: WarnOfLoss,
): string | Fields[] | undefined {
  if (message.role === "system") return hasText(message.content, losses, warn) ? message.content : undefined;
  if (typeof message.content === "string") return message.content;
  const parts = message.content.flatMap((part) => renderPart(part, warn));
  if (parts.length > 0) return parts;
  return void warn(losses.emptyMessage, "a user message without content was left out");
}

/** Whether the text of a system message is sent. */
export function hasText(text: string, losses: ContentLosses, warn: WarnOfLoss): boolean {
  if (text !== "") return true;
  warn(losses.emptyMessage, "a system message without text was left out");
  return false;
}

/** The data of an image or a document as a URL. */
export function dataUrl(part: ImagePart | DocumentPart): string {
  return `data:${part.media_type ?? "application/octet-stream"};base64,${part.data ?? ""}`;
}

/** The name of a document's file: its title, or one made of its type. */
export function fileName(part: DocumentPart): string {
  return part.title ?? `document.${part.media_type?.split("/").at(-1) ?? "bin"}`;
}
