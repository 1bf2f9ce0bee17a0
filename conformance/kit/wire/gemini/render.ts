// Writes scripted answers and failures as Gemini sends them, whole or as a stream.

import type { ErrorKind } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse, Write } from "../codec.ts";
import { canFail, canStop, renderFault as renderFaultAs, type Failure, type FaultFormat } from "../shared/faults.ts";
import { parseObject, type JsonObject } from "../shared/json.ts";
import { argumentsOf } from "../shared/normal-form.ts";
import { completing, dataEvent, piecesOf } from "../shared/sse.ts";
import { answerOver, transportNamed } from "../shared/transports.ts";
import { isStreamed } from "../transport.ts";
import { transports } from "./transports.ts";
import { statusWords } from "./traffic.ts";

const api = "Gemini";

const finishReasons: Partial<Record<ScriptedResponse["stop_reason"], string>> = {
  end_turn: "STOP",
  tool_use: "STOP",
  max_tokens: "MAX_TOKENS",
  content_filter: "SAFETY",
};

/** Every word that means something else than "other". */
const knownReasons = new Set(
  `STOP MAX_TOKENS SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION
   MODEL_ARMOR MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MALFORMED_RESPONSE MISSING_THOUGHT_SIGNATURE
   FINISH_REASON_UNSPECIFIED`.split(/\s+/),
);
const stopReasons = { generic: new Set(Object.keys(finishReasons)), raw: knownReasons };

const failures: Partial<Record<ErrorKind, Failure>> = {
  invalid_request: { status: 400, inStream: true },
  authentication: { status: 401 },
  permission: { status: 403 },
  not_found: { status: 404 },
  rate_limit: { status: 429, inStream: true },
  server_error: { status: 500, inStream: true },
  overloaded: { status: 503, inStream: true },
  timeout: { status: 504, inStream: true },
};

/** What a part must have to be one that only this provider knows. */
const ownParts = ["executableCode", "codeExecutionResult", "toolCall", "toolResponse", "inlineData", "fileData"];

const faultFormat: FaultFormat<Failure> = {
  api,
  transports,
  failures,
  errorBody: ({ status }, message) => errorBody(status, message),
  headers: () => ({}),
  canExpressParts,
  stream: (parts, id, failed) => [
    ...beginning({ id, model: "kit", parts }),
    ...(failed ? [dataEvent(errorBody(failed.failure.status, failed.message))] : []),
  ],
  cut: { body: '{"candidates":[{"cont', event: 'data: {"candidates":[{"cont\n\n' },
};

export function canExpress(scripted: ScriptedResponse | ScriptedFault, transport: Transport): true | string {
  if ("kind" in scripted) return canFail(faultFormat, scripted, transport);
  const problems = [
    canStop(api, scripted, stopReasons),
    canEnd(scripted),
    canCount(scripted),
    canExpressParts(scripted.parts),
  ];
  return problems.find((problem) => problem !== true) ?? true;
}

/** One word is for both: a model that is done, and one that calls. */
function canEnd({ stop_reason, parts }: ScriptedResponse): true | string {
  const hasCalls = parts.some((part) => "tool_call" in part);
  if (stop_reason === "tool_use" && !hasCalls) return `${api} has one word, STOP, with and without calls`;
  return stop_reason === "end_turn" && hasCalls ? `${api} has one word, STOP, with and without calls` : true;
}

function canCount({ usage }: ScriptedResponse): true | string {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens } = usage;
  if (cache_write_tokens !== null) return `${api} does not count what it writes to a cache`;
  if ((input_tokens === null) !== (output_tokens === null)) return `${api} counts input and output tokens, or none`;
  const details = [cache_read_tokens, reasoning_tokens];
  if (input_tokens === null && details.some((count) => count !== null))
    return `${api} counts details only of what it counts`;
  return true;
}

function canExpressParts(parts: readonly ScriptedPart[]): true | string {
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    if ("provider_item" in part && !ownParts.some((name) => name in part.provider_item))
      return `${api} has no such part`;
    if ("thinking" in part && part.redacted === true) return `${api} has no redacted thinking`;
    if ("text" in part && before && "text" in before) return `${api} sends a text in pieces, and two texts are one`;
    if ("thinking" in part && before && "thinking" in before && before.signature === undefined)
      return `${api} sends thoughts in pieces, and two of them are one`;
    const written = "tool_call" in part ? argumentsOf(part.tool_call) : "{}";
    if (written.trim() !== "" && parseObject(written) === undefined)
      return `the arguments of a call are an object in ${api}`;
  }
  return true;
}

export function renderResponse(response: ScriptedResponse, transport: Transport): WireResponse {
  const over = transportNamed(transports, transport);
  if (isStreamed(transport)) return answerOver(over, streamOf(response));
  const parts = response.parts.flatMap((part, at) => (isEmpty(part) ? [] : [partOf(part, response, at)]));
  const body = { ...envelope(response, parts, endOf(response)), ...usageOf(response.usage) };
  return answerOver(over, [{ text: written(body, response.parts) }]);
}

export function renderFault(fault: ScriptedFault, transport: Transport): WireResponse {
  const { retry_after_ms: wait } = fault;
  const body = ({ status }: Failure, message: string) => errorBody(status, message, wait);
  return renderFaultAs({ ...faultFormat, errorBody: body }, fault, transport);
}

/** The body of an error, with how long to wait. */
export function errorBody(status: number, message: string, wait?: number): JsonObject {
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${(wait ?? 0) / 1000}s` };
  const word = statusWords[status] ?? "UNKNOWN";
  return { error: { code: status, message, status: word, ...(wait !== undefined && { details: [retry] }) } };
}

/** The signature of the first call of a response, as models have it that ask for it back. */
export function signatureOf({ id }: Pick<ScriptedResponse, "id">): string {
  return Buffer.from(`kit signature ${id}`).toString("base64");
}

type ResponseContent = Pick<ScriptedResponse, "id" | "model" | "parts">;

function isEmpty(part: ScriptedPart): boolean {
  return ("text" in part && part.text === "") || ("thinking" in part && part.thinking === "");
}

/** The part that a scripted part becomes. The arguments of a call that were scripted as a text are put in by `written`. */
export function partOf(part: ScriptedPart, response: ResponseContent, at: number): JsonObject {
  if ("text" in part) return { text: part.text };
  if ("provider_item" in part) return part.provider_item;
  if ("thinking" in part)
    return {
      text: part.thinking,
      thought: true,
      ...(part.signature !== undefined && { thoughtSignature: part.signature }),
    };
  const { id, name, input, raw_input } = part.tool_call;
  const args = raw_input === undefined ? { args: input ?? {} } : raw_input.trim() === "" ? {} : { args: markOf(at) };
  const isFirst = response.parts.findIndex((one) => "tool_call" in one) === at;
  return {
    functionCall: { ...(id !== undefined && { id }), name, ...args },
    ...(isFirst && { thoughtSignature: signatureOf(response) }),
  };
}

const markOf = (at: number) => `\u0000arguments ${at}`;

/** The JSON of a value, with the arguments as they were scripted, digit by digit. */
function written(value: unknown, parts: readonly ScriptedPart[]): string {
  return parts.reduce((text, part, at) => {
    const raw = "tool_call" in part ? part.tool_call.raw_input : undefined;
    return raw === undefined ? text : text.replace(JSON.stringify(markOf(at)), () => raw);
  }, JSON.stringify(value));
}

function endOf({ stop_reason, raw_stop_reason }: ScriptedResponse): string {
  return (stop_reason === "other" ? raw_stop_reason : finishReasons[stop_reason]) ?? "STOP";
}

function envelope({ id, model }: ResponseContent, parts: JsonObject[], finishReason?: string): JsonObject {
  const candidate = {
    content: { parts, role: "model" },
    ...(finishReason !== undefined && { finishReason }),
    index: 0,
  };
  return { candidates: [candidate], modelVersion: model, responseId: `kit-${id}` };
}

/** Nothing if nothing was counted; a detail that was not counted is left out. */
function usageOf(usage: ScriptedResponse["usage"]): JsonObject {
  const { input_tokens, output_tokens, cache_read_tokens, reasoning_tokens } = usage;
  if (input_tokens === null || output_tokens === null) return {};
  return {
    usageMetadata: {
      promptTokenCount: input_tokens,
      candidatesTokenCount: output_tokens - (reasoning_tokens ?? 0),
      totalTokenCount: input_tokens + output_tokens,
      ...(cache_read_tokens !== null && { cachedContentTokenCount: cache_read_tokens }),
      ...(reasoning_tokens !== null && { thoughtsTokenCount: reasoning_tokens }),
    },
  };
}

function streamOf(response: ScriptedResponse): Write[] {
  const last = { ...envelope(response, [{ text: "" }], endOf(response)), ...usageOf(response.usage) };
  return [...beginning(response), dataEvent(last)];
}

/** The stream up to the last chunk of its last part. */
function beginning(response: ResponseContent): Write[] {
  return response.parts.flatMap((part, at) => {
    const chunks = piecesIn(part, response, at).map((piece) =>
      dataEvent(written(envelope(response, [piece]), response.parts)),
    );
    return completing(chunks.length === 0 ? [dataEvent(envelope(response, [{ text: "" }]))] : chunks, at + 1);
  });
}

function piecesIn(part: ScriptedPart, response: ResponseContent, at: number): JsonObject[] {
  const whole = partOf(part, response, at);
  const text = whole["text"];
  if (typeof text !== "string") return [whole];
  const { thoughtSignature, ...rest } = whole;
  const pieces = piecesOf(text).map((piece) => ({ ...rest, text: piece }));
  return pieces.map((piece, n) =>
    n === pieces.length - 1 && thoughtSignature !== undefined ? { ...piece, thoughtSignature } : piece,
  );
}
