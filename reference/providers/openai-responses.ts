// The openai-responses adapter: one call of a Responses API per model call, through the official SDK.

import { renderRequest } from "./openai-responses-request.ts";
import { parseResponse } from "./openai-responses-response.ts";
import { createReader, openaiResponsesCodec } from "./openai-responses-stream.ts";
import { throughSdk, type OpenAISettings } from "./openai-sdk.ts";
import { createRenderMemory } from "./render-memory.ts";
import type { Fragment } from "./openai-responses-request.ts";
import type { Provider } from "../core/ports.ts";

export { openaiResponsesCodec, createReader, parseResponse, renderRequest };
export type { RenderSettings } from "./openai-responses-request.ts";
export type { OpenAIClient } from "./openai-sdk.ts";

/** Settings of the adapter. */
export interface OpenAIResponsesSettings extends OpenAISettings {
  /** Sent as `max_output_tokens`. Absent: the server's own limit. */
  max_tokens?: number;
  /**
   * Where the conversation is kept. `stateless`, the default: in the session alone; every request has all of it, and the
   * server stores nothing. `previous_response_id`: on the server too; a request has what is new since the last response.
   */
  state?: "stateless" | "previous_response_id";
  /** Fields merged into the body of every request: `reasoning`, `text`, … A model that refuses `include` wants `include: []`. */
  request?: Record<string, unknown>;
}

/**
 * A model behind OpenAI's Responses API, or behind another server that speaks it. The SDK is loaded with the
 * first call and never retries: that is the loop's. A failed call is a response with an `error`; nothing is thrown.
 * @see https://platform.openai.com/docs/api-reference/responses
 */
export function openaiResponses(settings: OpenAIResponsesSettings): Provider {
  const memory = createRenderMemory<Fragment>();
  const render = (request: Parameters<typeof renderRequest>[0]) => renderRequest(request, settings, memory);
  return throughSdk({ path: "/responses", codec: openaiResponsesCodec, render }, settings);
}
