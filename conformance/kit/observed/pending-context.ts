// Context that hooks add for the model, and the messages in which the loop sends it: one or several, in its own wording.

import type { Message, Part, UserMessage } from "../../../schemas/types.ts";

/** Context that is pending until the next model call. @see HOOK-10 HOOK-13 */
export class PendingContext {
  #texts: { text: string; call?: string | undefined }[] = [];

  /** @param call the id of the call that it is about */
  add(text: string, call?: string): void {
    this.#texts.push({ text, call });
  }

  /** What is about a call is never said. @see HOOK-34 */
  drop(call: string): void {
    this.#texts = this.#texts.filter((one) => one.call !== call);
  }

  get areNone(): boolean {
    return this.#texts.length === 0;
  }

  /** Whether a message says any of it. */
  isIn(message: string): boolean {
    return this.#texts.some(({ text }) => message.includes(text));
  }

  /**
   * The messages that carry all of it; nothing is pending afterwards.
   * @param sent what the loop said; taken as it is if it says all of it and nothing else
   */
  take(sent: readonly string[]): Message[] {
    const wanted = this.#texts.splice(0).map(({ text }) => text);
    if (wanted.length === 0) return [];
    const isWhole = wanted.every((text) => sent.some((one) => one.includes(text)));
    const isOnly = sent.every((one) => wanted.some((text) => one.includes(text)));
    const texts = isWhole && isOnly ? sent : [wanted.join("\n\n")];
    return texts.map((content) => ({ role: "user", content, synthetic: true }));
  }
}

/** The texts of the user that stand at the end of what was shown, beyond those that are expected there. */
export function extraUserTexts(expected: readonly Message[], shown: readonly Message[]): string[] {
  const more = lastParts(shown).slice(lastParts(expected).length);
  return more.map((part) => (part.type === "text" ? String(part.text) : ""));
}

/** The text of the user that comes first behind what is expected; "" if there is none. */
export function nextUserText(expected: readonly Message[], shown: readonly Message[]): string {
  return extraUserTexts(expected, shown)[0] ?? "";
}

/** The texts of the user messages at the end, without images and what introduces one: those of tools may be sent there. */
function lastParts(messages: readonly Message[]): Part[] {
  const first = messages.findLastIndex((message) => message.role !== "user") + 1;
  const parts = messages.slice(first).flatMap((message): Part[] => {
    const { content } = message as UserMessage;
    return typeof content === "string" ? [{ type: "text", text: content }] : content;
  });
  return parts.filter(({ type }, at) => type === "text" && (parts[at + 1]?.type ?? "text") === "text");
}
