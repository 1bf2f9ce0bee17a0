// Streams of Gemini with everything that a cut can break: letters of several bytes, calls, signatures, arguments in pieces, errors.

import { readdirSync, readFileSync } from "node:fs";
import type { Fixture } from "../../schemas/types.ts";

type Part = Record<string, unknown>;

const folder = new URL("../../fixtures/gemini/", import.meta.url);
const chunk = (parts: Part[], more: object = {}, end: object = {}) =>
  JSON.stringify({ candidates: [{ content: { role: "model", parts }, index: 0, ...end }], ...more });
const stop = { finishReason: "STOP" };
const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 10 };
const events = (chunks: readonly string[], lineEnd = "\n") =>
  chunks.map((data) => `data: ${data}${lineEnd}${lineEnd}`).join("");
const piece = (partialArgs: Part[], willContinue = true) => ({
  functionCall: { name: "", partialArgs, ...(willContinue && { willContinue }) },
});

const letters = events([
  chunk([{ text: "Ünï — ", thought: true }]),
  chunk([{ text: "\u{1F600}\u{1F468}\u200D\u{1F469}", thought: true, thoughtSignature: "c2ln" }]),
  chunk([{ text: "18 °C in Zürich" }]),
  chunk([{ text: ", “warm”." }], { usageMetadata }, stop),
]);
const calls = events([
  chunk([
    { functionCall: { id: "a", name: "look", args: { city: "Zürich", n: 1 } }, thoughtSignature: "c2ln" },
    { functionCall: { name: "look", args: {} } },
  ]),
  chunk([{ text: "" }], { usageMetadata }, stop),
]);
const pieces = events([
  chunk([{ functionCall: { id: "a", name: "write", willContinue: true }, thoughtSignature: "c2ln" }]),
  chunk([piece([{ jsonPath: "$.text", stringValue: "Grü", willContinue: true }])]),
  chunk([piece([{ jsonPath: "$.text", stringValue: "ße \u{1F600}" }])]),
  chunk([piece([{ jsonPath: "$.count", numberValue: 3 }], false)], { usageMetadata }, stop),
]);

/** Crafted streams, whole ones and one that fails, by what they have. */
const crafted: Record<string, string> = {
  "letters of several bytes": letters,
  "lines that end with CR and LF": letters.replaceAll("\n", "\r\n"),
  calls,
  "arguments in pieces": pieces,
  "a signature behind the text": events([
    chunk([{ text: "Ho." }]),
    chunk([{ text: "", thoughtSignature: "c2ln" }], { usageMetadata }, stop),
  ]),
  "a call that could not be written": events([
    chunk([{ text: "I look." }]),
    chunk([], { usageMetadata }, { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "Malformed" }),
  ]),
  "a blocked prompt": events([JSON.stringify({ promptFeedback: { blockReason: "SAFETY" }, usageMetadata })]),
  "an error in its midst": events([
    chunk([{ text: "Once upön" }]),
    JSON.stringify({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }),
  ]),
};

/** Every stream by its name: the crafted ones, and those of the fixtures. */
export function geminiStreams(): [name: string, bytes: Uint8Array][] {
  const recorded = readdirSync(folder).flatMap((file): [string, string][] => {
    const { exchanges } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Fixture;
    return exchanges.flatMap(({ response }) =>
      response.events ? [[file, events(response.events.map(({ data }) => JSON.stringify(data)))]] : [],
    );
  });
  return [...Object.entries(crafted), ...recorded].map(([name, text]) => [name, Buffer.from(text)]);
}
