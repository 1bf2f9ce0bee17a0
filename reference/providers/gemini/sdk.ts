// Asks Gemini through Google's SDK: it finds the address, the path and the credentials; what it sends and reads is the adapter's.

import { checkAccess } from "../shared/access.ts";
import { nodeFetch } from "../shared/node-fetch.ts";
import { keyOf } from "../shared/without-keys.ts";
import type { SdkOptions } from "../shared/sdk-request.ts";
import type { TransportName } from "../../../schemas/types.ts";

/** A `fetch`, as the SDK takes one. */
type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** One call of the SDK. Its own contents are replaced by the body that the adapter rendered. */
interface Asked {
  model: string;
  contents: { role: string; parts: { text: string }[] }[];
  config: { abortSignal: AbortSignal; httpOptions: { fetch: Fetch } };
}

/** What the adapter needs of a client of `@google/genai`. */
export interface GeminiClient {
  models: {
    generateContent(asked: Asked): Promise<unknown>;
    generateContentStream(asked: Asked): Promise<unknown>;
  };
}

/** What the SDK is given to send: it wants something, and takes nothing that it does not know. */
const placeholder = [{ role: "user", parts: [{ text: "-" }] }];

/** The answer that the SDK is given: the adapter reads the real one. */
const answered = () => new Response("{}", { headers: { "content-type": "application/json" } });

/**
 * Sends a body through a client, and returns the answer as it came.
 * @throws what the SDK throws before it sends anything, and what `fetch` throws
 */
export function sendThrough(
  client: GeminiClient,
  model: string,
  transport: TransportName,
  { body, signal }: SdkOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    const fetch: Fetch = async (url, init) => {
      isSent = true;
      // The signal of the SDK ends with its call, which is before the answer has been read.
      resolve(await nodeFetch(String(url), { ...init, body: body as Uint8Array<ArrayBuffer>, signal }));
      return answered();
    };
    const asked = { model, contents: placeholder, config: { abortSignal: signal, httpOptions: { fetch } } };
    const call =
      transport === "json" ? client.models.generateContent(asked) : client.models.generateContentStream(asked);
    // Of an answer that was given, nothing more is said.
    call.catch((thrown: unknown) =>
      reject(isSent ? new Error(messageOf(thrown), { cause: thrown }) : new NotSentError(messageOf(thrown))),
    );
  });
}

/** The SDK failed before it sent anything: it found no credentials, for example. */
export class NotSentError extends Error {
  override name = "NotSentError";
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Makes a client of the SDK. It never retries. */
export async function connect({ api_key, base_url }: { api_key?: string; base_url?: string }): Promise<GeminiClient> {
  checkAccess({ api_key, base_url });
  const { GoogleGenAI } = await import("@google/genai");
  const client = new GoogleGenAI({
    ...(api_key !== undefined && { apiKey: api_key }),
    ...(base_url !== undefined && { httpOptions: { baseUrl: base_url } }),
  });
  const key = keyOf(client);
  if (key === undefined && !client.vertexai)
    throw new Error("api_key: expected a key, in the settings or as GEMINI_API_KEY, got none.");
  checkAccess({ api_key: key });
  return client;
}
