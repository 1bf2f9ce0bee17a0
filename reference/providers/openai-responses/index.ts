// The openai-responses adapter: one call of a Responses API per model call, through the official SDK.

import { keptByServer } from "./server-state.ts";
import { printMessage, readConversation, renderRequest } from "./request.ts";
import { PROVIDER } from "./parts.ts";
import { parseResponse, recordsOf } from "./response.ts";
import { codecFor, createReader, openaiResponsesCodec } from "./stream.ts";
import { throughSdk, type OpenAISettings } from "../openai/sdk.ts";
import { createRenderCache } from "../shared/render-cache.ts";
import type { Fragment, RenderSettings } from "./request.ts";
import type { Codec } from "../shared/receive.ts";
import type { Provider } from "../../core/ports.ts";
import type { ModelRequest } from "../../../schemas/types.ts";

export { openaiResponsesCodec, createReader, parseResponse, renderRequest };
export type { RenderSettings } from "./request.ts";
export type { OpenAIClient } from "../openai/sdk.ts";

/** Settings of the adapter. */
export interface OpenAIResponsesSettings extends OpenAISettings {
  /** Sent as `max_output_tokens` with requests that have no limit. Absent: the server's own limit. */
  max_tokens?: number;
  /**
   * Where the conversation is kept. `stateless`, the default: in the session alone; every request has all of it, and the
   * server stores nothing. `server`: on the server too; a request has what is new since the last response.
   */
  conversation?: "stateless" | "server";
  /**
   * Fields merged into the body of every request, last: `service_tier`, `truncation`, … `reasoning` and `text` are merged field by
   * field. A model that refuses `include` wants `include: []`.
   */
  request?: Record<string, unknown>;
}

/**
 * A model behind OpenAI's Responses API, or behind another server that speaks it. The SDK is loaded with the
 * first call and never retries: that is the loop's. A failed call is a response with an `error`; nothing is thrown.
 * @see https://platform.openai.com/docs/api-reference/responses
 */
export function openaiResponses(settings: OpenAIResponsesSettings): Provider {
  const cache = createRenderCache<Fragment>();
  const asking = (conversation: RenderSettings["conversation"]) => {
    const render = (request: ModelRequest) => renderRequest(request, { ...settings, conversation }, cache);
    return throughSdk({ name: PROVIDER, path: "/responses", list: "input", codec: codecOf, render }, settings);
  };
  if (settings.conversation !== "server") return asking("stateless");
  return keptByServer({
    continuing: asking("server"),
    whole: asking("whole"),
    read: (request) => readConversation(request, settings, cache),
    print: printMessage,
  });
}

/** Reads the answers to a request with these tools. */
function codecOf({ tools }: Record<string, unknown>): Codec {
  const names = new Set(recordsOf(tools).map(({ name }) => name));
  return codecFor((name) => names.has(name));
}
