// A provider for `agentLoop` that is held to a fixture: the adapter renders each request, and the tape compares it.

import { anthropicMessages } from "../../../reference/providers/anthropic-messages/index.ts";
import type { AnthropicClient } from "../../../reference/providers/anthropic-messages/index.ts";
import { openaiChat } from "../../../reference/providers/openai-chat/index.ts";
import { openaiResponses } from "../../../reference/providers/openai-responses/index.ts";
import type { Exchange } from "../../../schemas/types.ts";
import type { Provider } from "../../../reference/core/ports.ts";
import { dummyKey } from "../record/environment.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import type { InProcessTape } from "./in-process-tape.ts";
import { requestValue } from "../fixture/request-value.ts";

const adapters = {
  "anthropic-messages": { adapter: anthropicMessages, upstream: "anthropic", path: "/v1/messages" },
  "openai-chat": { adapter: openaiChat, upstream: "openai", path: "/v1/chat/completions" },
  "openai-responses": { adapter: openaiResponses, upstream: "openai", path: "/v1/responses" },
};

type Format = keyof typeof adapters;

/** The settings of the adapter. Absent: those of the first request of the fixture. */
export interface TapeProviderSettings {
  /** Whose format is spoken, where the fixture has several. */
  provider?: Format;
  model?: string;
  transport?: "json" | "sse";
  max_tokens?: number;
  /** Fields merged into the body of every request. */
  request?: Record<string, unknown>;
}

/**
 * A provider without network, key or SDK, that answers only what was recorded: everything is as with the real adapter, down to
 * the bytes, but for who answers. What differs is an error of the model call, and stands in the tape's verdict.
 * @throws FixtureError if the fixture has no call of a known provider
 * @see REPLAY-2, REPLAY-9
 */
export function tapeProvider(tape: InProcessTape, settings: TapeProviderSettings = {}): Provider {
  const { provider = formatOf(tape), ...given } = settings;
  const { adapter, upstream: own, path } = adapters[provider];
  const first = tape.fixture.exchanges.find((exchange) => exchange.provider === provider);
  const upstream = tape.upstreams.find(({ name }) => name === (first?.upstream ?? own))!;
  const url = upstream.url + (first?.request?.path ?? path);
  const client: AnthropicClient = {
    post: (_, { body, headers, signal }) => ({
      asResponse: () =>
        tape.fetch(url, {
          method: "POST",
          headers: { ...ownHeaders, ...headers },
          body: JSON.stringify(body),
          signal,
        }),
    }),
  };
  return adapter({ ...settingsOf(first), ...given, client });
}

/** What an SDK sends beside the body. */
const ownHeaders = {
  "content-type": "application/json",
  authorization: `Bearer ${dummyKey}`,
  "x-api-key": dummyKey,
  "anthropic-version": "2023-06-01",
};

function formatOf({ fixture, name }: InProcessTape): Format {
  const found = fixture.exchanges.find(({ provider }) => provider !== undefined && provider in adapters);
  if (found) return found.provider as Format;
  throw new FixtureError(
    `${name} has no model call: expected an exchange whose provider is ${Object.keys(adapters).join(", ")}`,
  );
}

/** How the first call was made. */
function settingsOf(first: Exchange | undefined): { model: string; transport: "json" | "sse"; max_tokens?: number } {
  const body = (requestValue(first?.request) ?? {}) as Record<string, unknown>;
  const { model, stream = first?.response.events !== undefined } = body;
  const limit = body["max_tokens"] ?? body["max_completion_tokens"] ?? body["max_output_tokens"];
  return {
    model: typeof model === "string" ? model : "replay",
    transport: stream === true ? "sse" : "json",
    ...(typeof limit === "number" && { max_tokens: limit }),
  };
}
