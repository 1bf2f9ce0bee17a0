// What the official SDKs make of the same bytes, in a form that can be compared with what the adapters make of them.

import type { ModelResponse } from "../../../schemas/types.ts";
import { formats } from "./known-formats.ts";
import type { Reading } from "./recorded-format.ts";
import type { Recording } from "./recording.ts";

type ProviderName = Recording["provider"];

/**
 * What the SDK makes of an answer, asked for as a stream or whole; why it refuses, if it does.
 * @param answer gives the answer to what the SDK would send
 */
export async function readWithSdk(
  provider: ProviderName,
  streamed: boolean,
  answer: (init: RequestInit | undefined) => Response | Promise<Response>,
): Promise<Reading | { refuses: string }> {
  const format = formats[provider]!;
  try {
    return await format.readWithSdk(streamed, async (_url, init) => answer(init));
  } catch (thrown) {
    if (!format.isRefusal(thrown) && !(thrown instanceof SyntaxError)) throw thrown;
    return { refuses: (thrown as Error).message.slice(0, 120) };
  }
}

/** What the adapter made of an answer, in the same form. */
export function readResponse(provider: ProviderName, response: ModelResponse): Reading {
  const format = formats[provider];
  const { usage } = response;
  return {
    content: response.messages.flatMap((message) => format?.readMessage(message) ?? []),
    stop: response.raw_stop_reason ?? null,
    usage: { input: usage?.input_tokens ?? format?.uncounted ?? null, output: usage?.output_tokens ?? null },
  };
}
