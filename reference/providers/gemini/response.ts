// Maps an answer of Gemini's generateContent to a generic response.

import { isRecord, losesDigits, parseExactly } from "../shared/arguments.ts";
import { geminiError } from "./errors.ts";
import { createCollector } from "./messages.ts";
import { PROVIDER, type Fields } from "./parts.ts";
import { failedResponse, unreadable } from "../shared/http-error.ts";
import type { LoopError, Message, ModelResponse, StopReason, Usage } from "../../../schemas/types.ts";

/** What is known of an answer beside its messages. A later chunk of a stream adds to it. */
export interface Ending {
  finishReason?: unknown;
  finishMessage?: unknown;
  blockReason?: unknown;
  usage?: unknown;
  modelVersion?: unknown;
  /** Where the texts have what they say from. */
  found: Fields;
}

/** @see GEMINI-10 GEMINI-11 */
const stopReasons: Record<string, StopReason> = {
  STOP: "end_turn",
  MAX_TOKENS: "max_tokens",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  LANGUAGE: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
  MODEL_ARMOR: "content_filter",
};

/** Where the model has failed to write a call, or an answer: nothing of it can be used. @see GEMINI-10 */
const failures = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MALFORMED_RESPONSE",
  "MISSING_THOUGHT_SIGNATURE",
]);

/** The words by their numbers, which some clients ask for. */
const numbered = ["FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER"];

/** What stands beside a candidate's content, and says where it is from. */
const sources = ["groundingMetadata", "citationMetadata", "urlContextMetadata"] as const;

/** Reads a whole answer, as JSON text or as the value that it stands for. @see PROVIDER-14 */
export function parseResponse(body: unknown, model: string): ModelResponse {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failedResponse(unreadable(PROVIDER, "a JSON answer", text));
  }
  // Without alt=sse, a stream is a list of what would be its events.
  const chunks = Array.isArray(value) ? (value as unknown[]) : [value];
  const exact = losesDigits(text) ? [parseExactly(text)].flat() : chunks;
  const collector = createCollector(model, () => undefined);
  const ending: Ending = { found: {} };
  let failure: LoopError | undefined;
  for (const [at, chunk] of chunks.entries()) {
    if (isRecord(chunk) && isAnswer(chunk)) readChunk(chunk, exact[at], collector.take, ending);
    else if (isRecord(chunk) && "error" in chunk) failure = geminiError({ body: chunk });
    else failure ??= unreadable(PROVIDER, "an answer with candidates", JSON.stringify(chunk) ?? "nothing");
  }
  if (chunks.length === 0) failure = unreadable(PROVIDER, "an answer with candidates", text);
  const response = toResponse(collector.end(ending.found), ending, model);
  return failure ? failedResponse(failure, response.messages.length > 0 ? response : {}) : response;
}

/** Whether a value is an answer, or a chunk of one. */
export function isAnswer(value: Fields): boolean {
  return ["candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"].some((key) => key in value);
}

/** Takes what a chunk says: its parts, and how the answer ends. */
export function readChunk(
  chunk: Fields,
  exact: unknown,
  take: (part: Fields, exact: Fields) => void,
  ending: Ending,
): void {
  const [candidate] = recordsIn(chunk.candidates);
  const exactParts = partsOf(recordsIn((exact as Fields | undefined)?.candidates)[0]);
  for (const [at, part] of partsOf(candidate).entries()) take(part, exactParts[at] ?? part);
  const { finishReason, finishMessage } = candidate ?? {};
  const word = typeof finishReason === "number" ? numbered[finishReason] : finishReason;
  if (typeof word === "string" && word !== "" && word !== "FINISH_REASON_UNSPECIFIED") ending.finishReason = word;
  if (typeof finishMessage === "string") ending.finishMessage = finishMessage;
  for (const name of sources) if (isRecord(candidate?.[name])) ending.found[name] = candidate[name];
  if (isRecord(chunk.promptFeedback)) ending.blockReason = chunk.promptFeedback.blockReason ?? ending.blockReason;
  if (isRecord(chunk.usageMetadata)) ending.usage = { ...(ending.usage as Fields), ...chunk.usageMetadata };
  if (typeof chunk.modelVersion === "string") ending.modelVersion = chunk.modelVersion;
}

/** The response that these messages and this ending stand for. @see GEMINI-10 GEMINI-11 */
export function toResponse(messages: Message[], ending: Ending, model: string): ModelResponse {
  const { finishReason, finishMessage, blockReason, modelVersion } = ending;
  const blocked = typeof blockReason === "string" ? blockReason : undefined;
  const word = typeof finishReason === "string" ? finishReason : (blocked ?? null);
  const hasCalls = messages.some(({ type }) => type === "tool_call");
  const said = blocked !== undefined && finishReason === undefined ? "content_filter" : stopReasonOf(word);
  const response: ModelResponse = {
    messages,
    stop_reason: said === "end_turn" && hasCalls ? "tool_use" : said,
    raw_stop_reason: word,
    usage: readUsage(ending.usage),
    model: typeof modelVersion === "string" ? modelVersion : model,
    provider: PROVIDER,
  };
  if (word === null || !failures.has(word)) return response;
  const message = typeof finishMessage === "string" ? finishMessage : `${PROVIDER} ended its answer with ${word}`;
  return failedResponse({ kind: "invalid_response", message, code: word, provider: PROVIDER }, response);
}

/** Without a word, an answer has ended; one that is no word of the table is another reason. */
function stopReasonOf(word: string | null): StopReason {
  if (word === null) return "end_turn";
  return Object.hasOwn(stopReasons, word) ? stopReasons[word]! : "other";
}

/** @see GEMINI-13 */
function readUsage(value: unknown): Usage {
  const usage = isRecord(value) ? value : {};
  const { promptTokenCount, toolUsePromptTokenCount, candidatesTokenCount, thoughtsTokenCount } = usage;
  return {
    input_tokens: sumOf(promptTokenCount, toolUsePromptTokenCount),
    output_tokens: sumOf(candidatesTokenCount, thoughtsTokenCount) ?? (isCount(promptTokenCount) ? 0 : null),
    cache_read_tokens: isCount(usage.cachedContentTokenCount) ? usage.cachedContentTokenCount : null,
    cache_write_tokens: null,
    reasoning_tokens: isCount(thoughtsTokenCount) ? thoughtsTokenCount : null,
  };
}

function sumOf(...counts: unknown[]): number | null {
  const known = counts.filter(isCount);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function partsOf(candidate: Fields | undefined): Fields[] {
  return recordsIn(isRecord(candidate?.content) ? candidate.content.parts : undefined);
}

function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
