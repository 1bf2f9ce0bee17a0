// Puts a streamed answer of Gemini together: every event is an answer with the parts that are new.

import { isRecord, losesDigits, parseExactly } from "../shared/arguments.ts";
import { geminiError } from "./errors.ts";
import { createCollector } from "./messages.ts";
import { PROVIDER, type Fields } from "./parts.ts";
import { isAnswer, parseResponse, readChunk, toResponse, type Ending } from "./response.ts";
import { failedResponse, interruption, unreadable } from "../shared/http-error.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Codec, Reader, SentEvent } from "../shared/receive.ts";
import type { LoopError, ModelResponse } from "../../../schemas/types.ts";

/** Reads answers of Gemini, without HTTP and without the SDK. */
export const geminiCodec: Codec = { provider: PROVIDER, parseResponse, createReader, readError: geminiError };

/** Puts a streamed answer together. It has no last event: it is whole if it says how it ended. @see PROVIDER-22 */
export function createReader(model: string, onStream: (event: StreamEvent) => void = () => undefined): Reader {
  const collector = createCollector(model, onStream);
  const ending: Ending = { found: {} };
  let failure: LoopError | undefined;
  let ended: ModelResponse | undefined;

  function push({ data }: SentEvent): boolean {
    const chunk = valueOf(data);
    if (!chunk) failure = unreadable(PROVIDER, "events with JSON data", data);
    else if ("error" in chunk) failure = geminiError({ body: chunk });
    else if (isAnswer(chunk)) readChunk(chunk, losesDigits(data) ? parseExactly(data) : chunk, collector.take, ending);
    return !failure;
  }

  function end(lost?: string): ModelResponse {
    return (ended ??= ending_(lost));
  }

  function ending_(lost?: string): ModelResponse {
    const response = toResponse(collector.end(ending.found), ending, model);
    if (failure) return failedResponse(failure, response);
    const isWhole = ending.finishReason !== undefined || ending.blockReason !== undefined;
    if (isWhole) return response;
    return failedResponse(interruption(PROVIDER, lost ?? "the stream ended without a finishReason"), response);
  }

  return { push, end };
}

function valueOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
