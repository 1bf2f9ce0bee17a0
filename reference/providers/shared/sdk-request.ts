// What an SDK is given for one call: bytes that it sends as they are, a signal that ends with the call, and no retries.

import { createRequestEncoder } from "./request-bytes.ts";
import type { Message } from "../../../schemas/types.ts";

/** The options of a request through an SDK. Without `headers`, the body is an object, which the SDK encodes. */
export interface SdkOptions {
  body: unknown;
  headers?: Record<string, string>;
  signal: AbortSignal;
  maxRetries: number;
}

/** One request under way. `end` it when its answer is read, or will not be. */
export interface SdkRequest {
  options: SdkOptions;
  end(): void;
}

/** Makes ready a body that was rendered from `conversation`. The request is aborted with `signal`. */
export type BeginRequest = (conversation: Message[], body: Record<string, unknown>, signal: AbortSignal) => SdkRequest;

/** What the official SDKs take as a body that is encoded already. */
const headers = { "content-type": "application/json" };

/**
 * Requests whose bodies have their conversation in the field `list`. A client that the application made is given objects: some
 * of them, for clouds of their own, look into a body and change it.
 */
export function createSdkRequests(list: string, ownClient: boolean): BeginRequest {
  const encode = createRequestEncoder(list);
  return (conversation, body, signal) => {
    const encoded = ownClient ? encode(conversation, body) : undefined;
    // The SDKs do not take their listener off the signal that they are given, and one of a run lives long.
    const call = new AbortController();
    const abort = () => call.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    const options = { signal: call.signal, maxRetries: 0 };
    return {
      options: encoded ? { ...options, body: encoded.bytes, headers } : { ...options, body },
      end() {
        signal.removeEventListener("abort", abort);
        encoded?.release();
      },
    };
  };
}
