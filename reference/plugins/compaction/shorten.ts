// Valid shorter forms of messages and texts: no character is split, arguments stay an object.

import type { Message, Part, ThinkingMessage, ToolCallMessage, ToolResultMessage } from "../../../schemas/types.ts";

/** How many characters of thinking or of arguments are kept. @see COMPACT-13 */
export const PREVIEW_CHARS = 200;

/** The beginning of a text, at most so many UTF-16 units, without half a character at its end. */
export function beginningOf(text: string, length: number): string {
  const end = isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length;
  return text.slice(0, Math.max(0, end));
}

/** The end of a text, at most so many UTF-16 units, without half a character at its start. */
export function endOf(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

/** Thinking, cut to its beginning. */
export function shortThinking(message: ThinkingMessage): ThinkingMessage {
  return { ...message, content: `${beginningOf(message.content, PREVIEW_CHARS - 1)}…`, compacted: true };
}

/** A call with the beginning of its arguments, and without `raw_input`, which is as long. @see COMPACT-10 */
export function shortCall({ raw_input: _, ...message }: ToolCallMessage): ToolCallMessage {
  const preview = beginningOf(JSON.stringify(message.input), PREVIEW_CHARS);
  return { ...message, input: { _compacted: true, preview }, compacted: true };
}

/** A result whose texts keep their beginning and end, together at most `most` characters. @see COMPACT-18 COMPACT-19 */
export function shortResult(message: ToolResultMessage, most: number): ToolResultMessage {
  const { output } = message;
  if (typeof output === "string") return { ...message, output: middleOut(output, most), compacted: true };
  let room = most;
  let left = output.filter(isText).length;
  const parts = output.map((part) => {
    if (!isText(part)) return part;
    const text = middleOut(part.text, Math.floor(room / left));
    room -= text.length;
    left -= 1;
    return { ...part, text };
  });
  return { ...message, output: parts, compacted: true };
}

/** How many characters of text a result has. */
export function charsOf({ output }: ToolResultMessage): number {
  if (typeof output === "string") return output.length;
  return output.reduce((sum, part) => sum + (isText(part) ? part.text.length : 0), 0);
}

/** Whether a message is a shorter form of another one. */
export function isShorterForm(message: Message, original: Message): boolean {
  if (!("compacted" in message) || message.compacted !== true) return false;
  if (message.type === "thinking" && original.type === "thinking")
    return message.content.length < original.content.length;
  if (message.type === "tool_call" && original.type === "tool_call") {
    const { _compacted, preview } = (message.input ?? {}) as Record<string, unknown>;
    return message.id === original.id && _compacted === true && typeof preview === "string" && original.input !== null;
  }
  return (
    message.type === "tool_result" &&
    original.type === "tool_result" &&
    message.id === original.id &&
    charsOf(message as ToolResultMessage) < charsOf(original as ToolResultMessage)
  );
}

function middleOut(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = `\n[… ${text.length} characters in all; the middle was left out …]\n`;
  const room = Math.max(0, most - note.length);
  return `${beginningOf(text, Math.ceil(room / 2))}${note}${endOf(text, Math.floor(room / 2))}`.slice(0, most);
}

function isText(part: Part): part is Extract<Part, { type: "text" }> & { text: string } {
  return part.type === "text";
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
