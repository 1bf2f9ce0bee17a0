// The anthropic-messages adapter: one call of Anthropic's Messages API per model call, through the official SDK.

import { PROVIDER } from "./parts.ts";
import { renderRequest } from "./request.ts";
import { parseResponse } from "./response.ts";
import { createReader, anthropicMessagesCodec, threadCodec } from "./stream.ts";
import { nextUse, threadHeader, threadUse, withPlace } from "./server-state.ts";
import { checkAccess } from "../shared/access.ts";
import { failedResponse, isOfRequest, misconfigured, thrownError } from "../shared/http-error.ts";
import { nodeFetch } from "../shared/node-fetch.ts";
import { losses } from "./losses.ts";
import { receive } from "../shared/receive.ts";
import { createRenderCache } from "../shared/render-cache.ts";
import { createSdkRequests } from "../shared/sdk-request.ts";
import type { SdkOptions } from "../shared/sdk-request.ts";
import { keyOf, withoutKeys } from "../shared/without-keys.ts";
import { listenerWithOwnNames, responseWithOwnNames } from "../shared/tool-names.ts";
import type { Fragment } from "./request.ts";
import type { Provider } from "../../core/ports.ts";
import type { ModelResponse, TransportName } from "../../../schemas/types.ts";

export { anthropicMessagesCodec, createReader, parseResponse, renderRequest };
export type { RenderedRequest, RenderSettings } from "./request.ts";

/** What the adapter needs of a client of `@anthropic-ai/sdk`. */
export interface AnthropicClient {
  post(path: string, options: SdkOptions): { asResponse(): Promise<Response> };
}

/** Settings of the adapter. Without `api_key` and `base_url`, the SDK reads its environment variables. */
export interface AnthropicMessagesSettings {
  /** Asked where the request names no model. */
  model: string;
  api_key?: string;
  /** What the SDK takes: without `/v1`. */
  base_url?: string;
  /** How the answer is asked for. Absent means `sse`: whatever is not `json` is streamed. */
  transport?: TransportName;
  /** The most tokens that one answer may have. Absent means 4096, which every model accepts. */
  max_tokens?: number;
  /** A client of the SDK, instead of one made from `api_key` and `base_url`. It is given bodies as objects. */
  client?: AnthropicClient;
  /**
   * Where the conversation is kept. `stateless`, the default: in the session alone; every request has all of it. `server`: for some
   * minutes on the server too, as a message thread; a request has what is new since the last response. Not for servers that only
   * resemble Anthropic's: one that ignores `thread` answers to what is new alone.
   */
  conversation?: "stateless" | "server";
  /** Fields merged into the body of every request: `top_k`, `metadata`, `service_tier`, … */
  request?: Record<string, unknown>;
}

/**
 * A model behind Anthropic's Messages API. The SDK is loaded with the first call and never retries: that is the loop's.
 * A failed call is a response with an `error`; nothing is thrown.
 * @see https://platform.claude.com/docs/en/api/messages/create
 */
export function anthropicMessages(settings: AnthropicMessagesSettings): Provider {
  const cache = createRenderCache<Fragment>();
  const begin = createSdkRequests("messages", !settings.client);
  let client: Promise<AnthropicClient> | undefined;
  return {
    name: PROVIDER,
    model: settings.model,
    async invokeModel(request, call) {
      const { body, warnings, renamed, unsupported } = renderRequest(request, settings, cache);
      for (const { code, message } of warnings) call.warn(code, message);
      if (unsupported !== undefined) {
        return failedResponse({ kind: "unsupported", message: unsupported, provider: PROVIDER });
      }
      client ??= settings.client ? Promise.resolve(settings.client) : connect(settings);
      let key = settings.api_key;
      try {
        key = keyOf(await client) ?? key;
      } catch (thrown) {
        return withoutKeys(failedResponse(misconfigured(PROVIDER, thrown)), key);
      }
      const ask = async (body: Record<string, unknown>): Promise<ModelResponse> => {
        const { options, end } = begin(request.messages, body, call.signal);
        const isOnThread = threadUse(body) !== "none";
        try {
          const headers = { ...options.headers, ...(isOnThread && threadHeader) };
          const sent = await (await client!).post("/v1/messages", { ...options, headers }).asResponse();
          const codec = isOnThread ? threadCodec : anthropicMessagesCodec;
          const listener = listenerWithOwnNames(call, renamed);
          const received = await receive(sent, codec, String(body.model), listener);
          return withoutKeys(responseWithOwnNames(received, renamed), key);
        } catch (thrown) {
          const isSetUp = settings.client !== undefined || isOfRequest(thrown);
          const error = isSetUp ? thrownError(PROVIDER, thrown, call.signal.aborted) : misconfigured(PROVIDER, thrown);
          return withoutKeys(failedResponse(error), key);
        } finally {
          end();
        }
      };
      let answer = await ask(body);
      if (settings.conversation !== "server") return answer;

      const stateless = { ...settings, conversation: "stateless" } as const;
      for (let use = nextUse(threadUse(body), answer); use; use = nextUse(use, answer)) {
        if (use === "none") call.warn(losses.thread.code, `the conversation is sent whole: ${answer.error?.message}`);
        const whole = renderRequest(request, stateless, cache).body;
        answer = await ask(use === "create" ? { ...whole, thread: { type: "create" } } : whole);
      }
      return withPlace(answer, () => {
        const messages = [...request.messages, ...answer.messages];
        // The session will have other objects for these messages, so the cache does not follow the conversation to them.
        const aside = { ...cache, follow: createRenderCache<Fragment>().follow };
        return renderRequest({ ...request, messages }, stateless, aside).body;
      });
    },
  };
}

async function connect({ api_key, base_url }: AnthropicMessagesSettings): Promise<AnthropicClient> {
  checkAccess({ api_key, base_url });
  const { Anthropic } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({
    ...(api_key !== undefined && { apiKey: api_key }),
    ...(base_url !== undefined && { baseURL: base_url }),
    fetch: nodeFetch,
  });
  checkAccess({ api_key: client.apiKey, base_url: client.baseURL });
  return client;
}
