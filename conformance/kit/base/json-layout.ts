// How programs lay out JSON: the text of a value in a layout, and the layout of a text, so that a body is readable and loses no byte.

import type { JsonLayout } from "../../../schemas/types.ts";
import { isTooDeep } from "./nesting.ts";

/** A value, and the layout in which it gives the text again. */
export interface LaidOut {
  value: unknown;
  /** Absent: as `JSON.stringify` lays it out. */
  layout?: JsonLayout;
}

/**
 * The text of a value in a layout.
 * @see REPLAY-5
 */
export function jsonText(value: unknown, { indent, spaced, ascii, newline }: JsonLayout = {}): string {
  const compact = JSON.stringify(value, null, indent);
  const text = spaced && indent === undefined ? withSpaces(compact) : compact;
  return (ascii ? withoutUnicode(text) : text) + (newline ? "\n" : "");
}

/** What a text is as a value with a layout; nothing if no layout gives exactly this text, or it is nested too deep. */
export function readLaidOut(text: string): LaidOut | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isTooDeep(value)) return undefined;
  if (JSON.stringify(value) === text) return { value };
  const layout = layoutOf(text);
  return jsonText(value, layout) === text ? { value, layout } : undefined;
}

/**
 * The body of a request as a fixture has it: a value with its layout, or the text, also where that is JSON of a text.
 * @see RECORD-11
 */
export function requestBody(text: string): { body: unknown; layout?: JsonLayout } {
  const { value, layout } = readLaidOut(text) ?? { value: text };
  if (typeof value === "string") return { body: text };
  return { body: value, ...(layout && { layout }) };
}

/** The layout that a text seems to have. */
function layoutOf(text: string): JsonLayout {
  const indent = /^[[{]\n([ \t]+)/.exec(text)?.[1];
  const isSpaced = indent === undefined && /[,:] /.test(text);
  return {
    ...(indent !== undefined && { indent }),
    ...(isSpaced && { spaced: true as const }),
    ...(/\\u[0-9a-f]{4}/.test(text) && !/[\u0080-\uffff]/.test(text) && { ascii: true as const }),
    ...(text.endsWith("\n") && { newline: true as const }),
  };
}

/** A string, or a mark between values. */
const token = /"(?:[^"\\]|\\.)*"|[,:]/g;

function withSpaces(text: string): string {
  return text.replace(token, (found) => (found.length === 1 ? `${found} ` : found));
}

function withoutUnicode(text: string): string {
  return text.replaceAll(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
