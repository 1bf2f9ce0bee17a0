// Takes what a loop says in words of its own out of what it sends, where nothing says whose words they are.

import { isDeepStrictEqual } from "node:util";

/** Longer than anything that a combination says but for a result that is to be shortened, in the words of the loop. */
export const long = 150;

/** What stands for them. */
const ownWords = "…";

/** What a request may have or leave out, by its name: it says what holds anyway. */
const understood: Readonly<Record<string, readonly unknown[]>> = {
  tool_choice: ["auto", { type: "auto" }],
  toolConfig: [{ functionCallingConfig: { mode: "AUTO" } }],
  caller: [{ type: "direct" }],
  status: ["completed"],
};

/**
 * A value with three dots for each text that is not in the case, and with JSON read that is in a text.
 * @param given the case, as JSON
 */
export function withoutOwnWords(value: unknown, given: string): unknown {
  if (typeof value === "string") return textOrJson(value, given);
  if (Array.isArray(value))
    return value.map((entry) => withoutOwnWords(entry, given)).filter((entry) => !isOwnText(entry));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value)
    .filter(([key, entry]) => !understood[key]?.some((one) => isDeepStrictEqual(one, entry)))
    .map(([key, entry]) => [key, withoutOwnWords(entry, given)]);
  return Object.fromEntries(kept.toSorted(([left], [right]) => (left! < right! ? -1 : 1)));
}

/** What a loop may say between the parts of a message, or not. */
function isOwnText(entry: unknown): boolean {
  return isDeepStrictEqual(entry, { text: ownWords, type: "text" });
}

function textOrJson(text: string, given: string): unknown {
  if (text === "") return ownWords; // where one loop says nothing another says that it is nothing
  if (/^[[{]/.test(text))
    try {
      return withoutOwnWords(JSON.parse(text), given);
    } catch {
      // A text like any other.
    }
  const begin = text.length > long ? text.split(" ", 1)[0]! : text;
  // A name is one word.
  const isOwn = (begin !== text || text.includes(" ")) && !given.includes(JSON.stringify(begin).slice(1, -1));
  return isOwn ? ownWords : begin;
}
