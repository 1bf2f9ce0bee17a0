// Renders the parts of messages as the Responses API has them: content parts, and the ids and names that it accepts.

import { legalName } from "../shared/arguments.ts";
import { openaiResponsesLosses as losses } from "../shared/losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import type { DocumentPart, ImagePart, Part } from "../../../schemas/types.ts";

export const PROVIDER = "openai-responses";

/** A JSON object of the API. */
export type Fields = Record<string, unknown>;

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
      return renderForeignPart(part, warn);
  }
}

function renderDocument(part: DocumentPart): Fields {
  if (part.data === undefined) return { type: "input_file", file_url: part.url };
  if (part.media_type === "text/plain") return { type: "input_text", text: decodeText(part.data) };
  const filename = part.title ?? `document.${part.media_type?.split("/").at(-1) ?? "bin"}`;
  return { type: "input_file", filename, file_data: dataUrl(part) };
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

/** @see RESPONSES-14 */
export function legalToolName(name: string, warn: WarnOfLoss): string {
  return legal(name, /^[a-zA-Z0-9_-]+$/, warn);
}

/** @see RESPONSES-12 */
export function legalId(id: string, warn: WarnOfLoss): string {
  return legal(id, /^/, warn);
}

function legal(name: string, pattern: RegExp, warn: WarnOfLoss): string {
  const accepted = legalName(name, pattern, 64);
  if (accepted !== name)
    warn(losses.name, `${JSON.stringify(name)} is sent as ${accepted}: the API refuses it as it is`);
  return accepted;
}
