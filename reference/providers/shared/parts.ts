// What all adapters do alike with messages and parts that a format cannot carry as they are.

import { legalName } from "./arguments.ts";
import type { RenderWarning, WarnedLoss, WarnOfLoss } from "./losses.ts";
import type { Message } from "../../../schemas/types.ts";

/** A JSON object of an API. */
export type Fields = Record<string, unknown>;

/** What a model reads of an error that has no output. @see PROVIDER-42 */
export const SILENT_FAILURE = "The tool failed and said nothing.";

/** Keeps losses as warnings. */
export function warnInto(warnings: RenderWarning[]): WarnOfLoss {
  return ({ code }, message) => void warnings.push({ code, message });
}

/** The texts of the system messages with which a conversation begins, and how many messages those are. */
export function leadingSystem(
  messages: readonly Message[],
  hasText: (text: string) => boolean,
): { texts: string[]; count: number } {
  const count = leadingCount(messages);
  const texts = messages
    .slice(0, count)
    .flatMap((message) => (message.role === "system" && hasText(message.content) ? [message.content] : []));
  return { texts, count };
}

/** How many system messages a conversation begins with. */
export function leadingCount(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => message.role !== "system");
  return first < 0 ? messages.length : first;
}

/** A part that an application took from this provider, `{type: "provider_item", provider, item}`, goes back as it is. */
export function foreignPart(part: { type: string }, own: string, unknown: WarnedLoss, warn: WarnOfLoss): Fields[] {
  const { provider, item } = part as { provider?: unknown; item?: unknown };
  if (part.type === "provider_item" && provider === own) return [item as Fields];
  warn(unknown, `a part of the unknown type ${part.type} was left out`);
  return [];
}

/** The text that base64 stands for. */
export function decodeText(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

/** The name if the API accepts it, else one that it accepts, with a warning. */
export function acceptedName(
  name: string,
  legal: RegExp,
  length: number,
  mapped: WarnedLoss,
  warn: WarnOfLoss,
): string {
  const accepted = legalName(name, legal, length);
  if (accepted !== name) warn(mapped, `${JSON.stringify(name)} is sent as ${accepted}: the API refuses it as it is`);
  return accepted;
}
