// A client as the SDKs of several providers have it, with a function in the place of the network.

import type { Send } from "./about-provider.ts";
import type { SdkOptions } from "./sdk-request.ts";

/** A client whose requests are sent by `send`. */
export function posting(send: Send): { post(path: string, options: SdkOptions): { asResponse(): Promise<Response> } } {
  return {
    post: (path, { body, headers = {}, signal }) => ({ asResponse: () => send({ path, body, headers, signal }) }),
  };
}
