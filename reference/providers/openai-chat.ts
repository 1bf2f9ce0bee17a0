// The openai-chat adapter: one call of a Chat Completions API per model call, through the official SDK.

import { failedResponse, misconfigured, thrownError } from "./http-error.ts";
import { PROVIDER } from "./openai-chat-parts.ts";
import { renderRequest } from "./openai-chat-request.ts";
import { parseResponse } from "./openai-chat-response.ts";
import { createReader, openaiChatCodec } from "./openai-chat-stream.ts";
import { receive } from "./receive.ts";
import { createRenderMemory } from "./render-memory.ts";
import { listenerWithOwnNames, responseWithOwnNames } from "./tool-names.ts";
import type { Fragment } from "./openai-chat-request.ts";
import type { Provider } from "../core/ports.ts";

export { openaiChatCodec, createReader, parseResponse, renderRequest };
export type { RenderSettings } from "./openai-chat-request.ts";

/** What the adapter needs of a client of `openai`. */
export interface OpenAIClient {
  post(
    path: string,
    options: { body: unknown; signal: AbortSignal; maxRetries: number },
  ): { asResponse(): Promise<Response> };
}

/** Settings of the adapter. Without `api_key` and `base_url`, the SDK reads its environment variables. */
export interface OpenAIChatSettings {
  /** Asked where the request names no model. */
  model: string;
  api_key?: string;
  /** What the SDK takes: with `/v1`. */
  base_url?: string;
  /** How the answer is asked for. Absent means `sse`. */
  transport?: "json" | "sse";
  /** Sent as `max_completion_tokens`. Absent: the server's own limit. */
  max_tokens?: number;
  /** A client of the SDK, instead of one made from `api_key` and `base_url`. */
  client?: OpenAIClient;
  /** Fields merged into the body of every request: `temperature`, `reasoning_effort`, `max_tokens`, … */
  request?: Record<string, unknown>;
}

/**
 * A model behind OpenAI's Chat Completions API, or behind one of the many servers that speak it. The SDK is loaded with the
 * first call and never retries: that is the loop's. A failed call is a response with an `error`; nothing is thrown.
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export function openaiChat(settings: OpenAIChatSettings): Provider {
  /** The text of answers that failed, by their headers: the SDK keeps only what stands under `error`. */
  const refusals = new WeakMap<object, Promise<string>>();
  const memory = createRenderMemory<Fragment>();
  let client: Promise<OpenAIClient> | undefined;
  return {
    name: PROVIDER,
    async invokeModel(request, call) {
      const { body, warnings, renamed } = renderRequest(request, settings, memory);
      for (const { code, message } of warnings) call.warn(code, message);
      client ??= settings.client ? Promise.resolve(settings.client) : connect(settings, refusals);
      try {
        await client;
      } catch (thrown) {
        return failedResponse(misconfigured(PROVIDER, thrown));
      }
      try {
        const sent = (await client).post("/chat/completions", { body, signal: call.signal, maxRetries: 0 });
        const listener = listenerWithOwnNames(call, renamed);
        const answer = await receive(await sent.asResponse(), openaiChatCodec, String(body.model), listener);
        return responseWithOwnNames(answer, renamed);
      } catch (thrown) {
        const said = await refusals
          .get((thrown as { headers?: object } | null)?.headers ?? refusals)
          ?.catch(() => undefined);
        return failedResponse(thrownError(PROVIDER, thrown, call.signal.aborted, said));
      }
    },
  };
}

async function connect(
  { api_key, base_url }: OpenAIChatSettings,
  refusals: WeakMap<object, Promise<string>>,
): Promise<OpenAIClient> {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    ...(api_key !== undefined && { apiKey: api_key }),
    ...(base_url !== undefined && { baseURL: base_url }),
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (!response.ok) refusals.set(response.headers, response.clone().text());
      return response;
    },
  });
}
