// Renders the parts of messages as Gemini has them, and the names that it accepts.

import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import { acceptedName, foreignPart, type Fields } from "../shared/parts.ts";
import type { Part } from "../../../schemas/types.ts";

export type { Fields };

/** The name of this provider. */
export const PROVIDER = "gemini";

/** @see https://ai.google.dev/api/caching#FunctionDeclaration */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/;
const LONGEST_NAME = 64;

/** The name of a tool as it is sent. @see GEMINI-8 */
export function legalToolName(name: string, warn: WarnOfLoss): string {
  const accepted = acceptedName(name, NAME, LONGEST_NAME, losses.name, () => undefined);
  const sent = NAME.test(accepted) ? accepted : `_${accepted}`.slice(0, LONGEST_NAME);
  if (sent !== name) warn(losses.name, `${JSON.stringify(name)} is sent as ${sent}: the API refuses it as it is`);
  return sent;
}

/** The parts that a part of a user's message or of a result is sent as. */
export function renderPart(part: Part, warn: WarnOfLoss): Fields[] {
  switch (part.type) {
    case "text":
      if (part.text !== "") return [{ text: part.text }];
      warn(losses.emptyPart, "an empty text part was left out");
      return [];
    case "image":
    case "document": {
      const { media_type: mimeType, data, url } = part;
      if (data !== undefined) return [{ inlineData: { mimeType, data } }];
      return [{ fileData: { ...(mimeType !== undefined && { mimeType }), fileUri: url } }];
    }
    default:
      return foreignPart(part, PROVIDER, losses.unknown, warn);
  }
}
