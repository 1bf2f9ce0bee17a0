// The anthropic-messages adapter: one call of Anthropic's Messages API per model call, through the official SDK.

import { PROVIDER } from "./anthropic-messages-parts.ts";
import { renderRequest } from "./anthropic-messages-request.ts";
import { parseResponse } from "./anthropic-messages-response.ts";
import { createReader, anthropicMessagesCodec } from "./anthropic-messages-stream.ts";
import { failedResponse, misconfigured, thrownError } from "./http-error.ts";
import { receive } from "./receive.ts";
import { createRenderMemory } from "./render-memory.ts";
import { listenerWithOwnNames, responseWithOwnNames } from "./tool-names.ts";
import type { Fragment } from "./anthropic-messages-request.ts";
import type { Provider } from "../core/ports.ts";

export { anthropicMessagesCodec, createReader, parseResponse, renderRequest };
export type { RenderedRequest, RenderSettings } from "./anthropic-messages-request.ts";

/** What the adapter needs of a client of `@anthropic-ai/sdk`. */
export interface AnthropicClient {
  post(
    path: string,
    options: { body: unknown; signal: AbortSignal; maxRetries: number },
  ): { asResponse(): Promise<Response> };
}

/** Settings of the adapter. Without `api_key` and `base_url`, the SDK reads its environment variables. */
export interface AnthropicMessagesSettings {
  /** Asked where the request names no model. */
  model: string;
  api_key?: string;
  /** What the SDK takes: without `/v1`. */
  base_url?: string;
  /** How the answer is asked for. Absent means `sse`. */
  transport?: "json" | "sse";
  /** The most tokens that one answer may have. Absent means 4096, which every model accepts. */
  max_tokens?: number;
  /** A client of the SDK, instead of one made from `api_key` and `base_url`. */
  client?: AnthropicClient;
  /** Fields merged into the body of every request: `thinking`, `temperature`, `cache_control`, … */
  request?: Record<string, unknown>;
}

/**
 * A model behind Anthropic's Messages API. The SDK is loaded with the first call and never retries: that is the loop's.
 * A failed call is a response with an `error`; nothing is thrown.
 * @see https://platform.claude.com/docs/en/api/messages/create
 */
export function anthropicMessages(settings: AnthropicMessagesSettings): Provider {
  const memory = createRenderMemory<Fragment>();
  let client: Promise<AnthropicClient> | undefined;
  return {
    name: PROVIDER,
    async invokeModel(request, call) {
      const { body, warnings, renamed, unsupported } = renderRequest(request, settings, memory);
      for (const { code, message } of warnings) call.warn(code, message);
      if (unsupported !== undefined) {
        return failedResponse({ kind: "unsupported", message: unsupported, provider: PROVIDER });
      }
      client ??= settings.client ? Promise.resolve(settings.client) : connect(settings);
      try {
        await client;
      } catch (thrown) {
        return failedResponse(misconfigured(PROVIDER, thrown));
      }
      try {
        const sent = (await client).post("/v1/messages", { body, signal: call.signal, maxRetries: 0 });
        const listener = listenerWithOwnNames(call, renamed);
        const answer = await receive(await sent.asResponse(), anthropicMessagesCodec, String(body.model), listener);
        return responseWithOwnNames(answer, renamed);
      } catch (thrown) {
        return failedResponse(thrownError(PROVIDER, thrown, call.signal.aborted));
      }
    },
  };
}

async function connect({ api_key, base_url }: AnthropicMessagesSettings): Promise<AnthropicClient> {
  const { Anthropic } = await import("@anthropic-ai/sdk");
  return new Anthropic({
    ...(api_key !== undefined && { apiKey: api_key }),
    ...(base_url !== undefined && { baseURL: base_url }),
  });
}
