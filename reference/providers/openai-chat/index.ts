// The openai-chat adapter: one call of a Chat Completions API per model call, through the official SDK.

import { renderRequest } from "./request.ts";
import { PROVIDER } from "./parts.ts";
import { parseResponse } from "./response.ts";
import { createReader, openaiChatCodec } from "./stream.ts";
import { throughSdk, type OpenAISettings } from "../openai/sdk.ts";
import { createRenderCache } from "../shared/render-cache.ts";
import type { Fragment } from "./request.ts";
import type { Provider } from "../../core/ports.ts";

export { openaiChatCodec, createReader, parseResponse, renderRequest };
export type { RenderSettings } from "./request.ts";
export type { OpenAIClient } from "../openai/sdk.ts";

/** Settings of the adapter. */
export interface OpenAIChatSettings extends OpenAISettings {
  /** Sent as `max_completion_tokens` with requests that have no limit. Absent: the server's own limit. */
  max_tokens?: number;
  /** Fields merged into the body of every request, last: `service_tier`, `seed`, `max_tokens` for servers that know no other limit, … */
  request?: Record<string, unknown>;
}

/**
 * A model behind OpenAI's Chat Completions API, or behind one of the many servers that speak it. The SDK is loaded with the
 * first call and never retries: that is the loop's. A failed call is a response with an `error`; nothing is thrown.
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export function openaiChat(settings: OpenAIChatSettings): Provider {
  const cache = createRenderCache<Fragment>();
  const render = (request: Parameters<typeof renderRequest>[0]) => renderRequest(request, settings, cache);
  return throughSdk(
    { name: PROVIDER, path: "/chat/completions", list: "messages", codec: () => openaiChatCodec, render },
    settings,
  );
}
