// The gemini adapter: one call of Gemini's generateContent per model call, through the official SDK.

import { PROVIDER } from "./parts.ts";
import { renderRequest, type Fragment } from "./request.ts";
import { parseResponse } from "./response.ts";
import { connect, NotSentError, sendThrough, type GeminiClient } from "./sdk.ts";
import { createReader, geminiCodec } from "./stream.ts";
import { failedResponse, misconfigured, thrownError } from "../shared/http-error.ts";
import { receive } from "../shared/receive.ts";
import { createRenderCache } from "../shared/render-cache.ts";
import { createSdkRequests } from "../shared/sdk-request.ts";
import { keyOf, withoutKeys } from "../shared/without-keys.ts";
import { listenerWithOwnNames, responseWithOwnNames } from "../shared/tool-names.ts";
import type { Send } from "../shared/about-provider.ts";
import type { Provider } from "../../core/ports.ts";
import type { TransportName } from "../../../schemas/types.ts";

export { createReader, geminiCodec, parseResponse, renderRequest };
export type { GeminiClient };
export type { RenderSettings } from "./request.ts";

/** Settings of the adapter. Without `api_key` and `base_url`, the SDK reads its environment variables. */
export interface GeminiSettings {
  /** Asked where the request names no model. */
  model: string;
  api_key?: string;
  /** What the SDK takes: without the version of the API. */
  base_url?: string;
  /** How the answer is asked for. Absent means `sse`: whatever is not `json` is streamed. */
  transport?: TransportName;
  /** Sent as `maxOutputTokens` with requests that have no limit. Absent: the server's own limit. */
  max_tokens?: number;
  /** A client of the SDK, instead of one made from `api_key` and `base_url`: for Vertex AI, for example. */
  client?: GeminiClient;
  /** Sends each request in place of the SDK, which is then not needed. It is given bodies as objects. */
  send?: Send;
  /** Fields merged into the body of every request, last: `safetySettings`, `cachedContent`, `tools` of the provider, … */
  request?: Record<string, unknown>;
}

/**
 * A model behind Gemini's generateContent and streamGenerateContent, of the Developer API or of Vertex AI. The SDK is loaded with
 * the first call and never retries: that is the loop's. A failed call is a response with an `error`; nothing is thrown.
 * @see https://ai.google.dev/api/generate-content
 */
export function gemini(settings: GeminiSettings): Provider {
  const cache = createRenderCache<Fragment>();
  const begin = createSdkRequests("contents", !settings.send);
  let client: Promise<GeminiClient> | undefined;
  return {
    name: PROVIDER,
    model: settings.model,
    async invokeModel(request, call) {
      const { body, warnings, renamed, unsupported } = renderRequest(request, settings, cache);
      for (const { code, message } of warnings) call.warn(code, message);
      if (unsupported !== undefined) {
        return failedResponse({ kind: "unsupported", message: unsupported, provider: PROVIDER });
      }
      const model = request.model ?? settings.model;
      let key = settings.api_key;
      try {
        if (!settings.send) client ??= settings.client ? Promise.resolve(settings.client) : connect(settings);
        key = keyOf((await client) ?? {}) ?? key;
      } catch (thrown) {
        return withoutKeys(failedResponse(misconfigured(PROVIDER, thrown)), key);
      }
      const { options, end } = begin(request.messages, body, call.signal);
      try {
        const { transport = "sse", send } = settings;
        const sent = send
          ? await send({ path: pathOf(model, transport), headers: {}, body, signal: options.signal })
          : await sendThrough((await client)!, model, transport, options);
        const received = await receive(sent, geminiCodec, model, listenerWithOwnNames(call, renamed));
        return withoutKeys(responseWithOwnNames(received, renamed), key);
      } catch (thrown) {
        const isUnsent = thrown instanceof NotSentError;
        const error = isUnsent ? misconfigured(PROVIDER, thrown) : thrownError(PROVIDER, thrown, call.signal.aborted);
        return withoutKeys(failedResponse(error), key);
      } finally {
        end();
      }
    },
  };
}

/** The path of a model call below the base URL, with its query. */
function pathOf(model: string, transport: TransportName): string {
  const resource = model.includes("/") ? model : `models/${model}`;
  return `/v1/${resource}:${transport === "json" ? "generateContent" : "streamGenerateContent?alt=sse"}`;
}
