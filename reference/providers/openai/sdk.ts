// One HTTP call per model call through OpenAI's SDK, whichever of its APIs is asked.

import { checkAccess } from "../shared/access.ts";
import { failedResponse, misconfigured, thrownError } from "../shared/http-error.ts";
import { nodeFetch } from "../shared/node-fetch.ts";
import { receive, type Codec } from "../shared/receive.ts";
import type { RenderedBody } from "../shared/rendered-body.ts";
import { createSdkRequests } from "../shared/sdk-request.ts";
import type { SdkOptions } from "../shared/sdk-request.ts";
import { keyOf, withoutKeys } from "../shared/without-keys.ts";
import { listenerWithOwnNames, responseWithOwnNames } from "../shared/tool-names.ts";
import type { Provider } from "../../core/ports.ts";
import type { ModelRequest, TransportName } from "../../../schemas/types.ts";

/** What the adapters need of a client of `openai`. */
export interface OpenAIClient {
  post(path: string, options: SdkOptions): { asResponse(): Promise<Response> };
}

/** Settings that the adapters have in common. Without `api_key` and `base_url`, the SDK reads its environment variables. */
export interface OpenAISettings {
  /** Asked where the request names no model. */
  model: string;
  api_key?: string;
  /** What the SDK takes: with `/v1`. */
  base_url?: string;
  /** How the answer is asked for. Absent means `sse`: whatever is not `json` is streamed. */
  transport?: TransportName;
  /** A client of the SDK, instead of one made from `api_key` and `base_url`. It is given bodies as objects. */
  client?: OpenAIClient;
}

/** One of the APIs: where it is, how a request is rendered for it, and how its answers are read. */
export interface OpenAIApi {
  /** The provider's. */
  name: string;
  path: string;
  /** The field of a body that holds the conversation. */
  list: string;
  /** Reads the answers to a request with this body. */
  codec(body: RenderedBody["body"]): Codec;
  render(request: ModelRequest): RenderedBody;
}

/**
 * The provider behind one of the APIs. The SDK is loaded with the first call and never retries: that is the loop's. A failed
 * call is a response with an `error`; nothing is thrown.
 * @see PROVIDER-21
 */
export function throughSdk({ name, path, list, codec, render }: OpenAIApi, settings: OpenAISettings): Provider {
  /** The text of answers that failed, by their headers: the SDK keeps only what stands under `error`. */
  const refusals = new WeakMap<object, Promise<string>>();
  const begin = createSdkRequests(list, !settings.client);
  let client: Promise<OpenAIClient> | undefined;
  return {
    name,
    model: settings.model,
    async invokeModel(request, call) {
      const { body, warnings, renamed } = render(request);
      for (const { code, message } of warnings) call.warn(code, message);
      client ??= settings.client ? Promise.resolve(settings.client) : connect(settings, refusals);
      let key = settings.api_key;
      try {
        key = keyOf(await client) ?? key;
      } catch (thrown) {
        return withoutKeys(failedResponse(misconfigured(name, thrown)), key);
      }
      const { options, end } = begin(request.messages, body, call.signal);
      try {
        const sent = (await client).post(path, options);
        const listener = listenerWithOwnNames(call, renamed);
        const answer = await receive(await sent.asResponse(), codec(body), String(body.model), listener);
        return withoutKeys(responseWithOwnNames(answer, renamed), key);
      } catch (thrown) {
        const errorText = await refusals
          .get((thrown as { headers?: object } | null)?.headers ?? refusals)
          ?.catch(() => undefined);
        return withoutKeys(failedResponse(thrownError(name, thrown, call.signal.aborted, errorText)), key);
      } finally {
        end();
      }
    },
  };
}

async function connect(
  { api_key, base_url }: OpenAISettings,
  refusals: WeakMap<object, Promise<string>>,
): Promise<OpenAIClient> {
  checkAccess({ api_key, base_url });
  const { OpenAI } = await import("openai");
  const client = new OpenAI({
    ...(api_key !== undefined && { apiKey: api_key }),
    ...(base_url !== undefined && { baseURL: base_url }),
    fetch: async (url, init) => {
      const response = await nodeFetch(url, init);
      if (!response.ok) refusals.set(response.headers, response.clone().text());
      return response;
    },
  });
  checkAccess({ api_key: client.apiKey, base_url: client.baseURL });
  return client;
}
