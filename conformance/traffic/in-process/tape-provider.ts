// A provider for `agentLoop` that is held to a fixture: the adapter renders each request, and the tape compares it.

import { providers } from "../../../reference/providers/registry.ts";
import type { Exchange, ProviderName, TransportName } from "../../../schemas/types.ts";
import type { Send } from "../../../reference/providers/shared/about-provider.ts";
import type { Provider } from "../../../reference/core/ports.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { streamOf, transportAskedFor } from "../../kit/wire/transport.ts";
import type { AnswerTransport } from "../../kit/wire/transport.ts";
import { dummyKey } from "../record/environment.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import type { InProcessTape } from "./in-process-tape.ts";
import { requestValue } from "../fixture/request-value.ts";

/** The settings of the adapter. Absent: those of the first request of the fixture. */
export interface TapeProviderSettings {
  /** Whose format is spoken, where the fixture has several. */
  provider?: ProviderName;
  model?: string;
  transport?: TransportName;
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
  const { basePath, traffic, transports } = codecs[provider];
  const first = tape.fixture.exchanges.find((exchange) => exchange.provider === provider);
  const upstream = tape.upstreams.find(({ name }) => name === (first?.upstream ?? traffic.host.name))!;
  const ownHeaders = { "content-type": "application/json", ...traffic.keyHeader(dummyKey), ...traffic.headers };
  const send: Send = ({ path, body, headers, signal }) =>
    tape.fetch(upstream.url + (first?.request?.path ?? basePath + path), {
      method: "POST",
      headers: { ...ownHeaders, ...headers },
      body: JSON.stringify(body),
      signal,
    });
  return providers[provider].createOver(send, { ...settingsOf(first, transports), ...given });
}

function formatOf({ fixture, name }: InProcessTape): ProviderName {
  const found = fixture.exchanges.find(({ provider }) => provider !== undefined && Object.hasOwn(codecs, provider));
  if (found) return found.provider as ProviderName;
  throw new FixtureError(
    `${name} has no model call: expected an exchange whose provider is ${Object.keys(codecs).join(", ")}`,
  );
}

/** How the first call was made. */
function settingsOf(
  first: Exchange | undefined,
  transports: readonly AnswerTransport[],
): { model: string; transport: TransportName; max_tokens?: number } {
  const body = (requestValue(first?.request) ?? {}) as Record<string, unknown>;
  const { model } = body;
  const requested = transportAskedFor(transports, body);
  const limit = body["max_tokens"] ?? body["max_completion_tokens"] ?? body["max_output_tokens"];
  return {
    model: typeof model === "string" ? model : "replay",
    transport: requested === "json" && first?.response.events !== undefined ? streamOf(transports)!.name : requested,
    ...(typeof limit === "number" && { max_tokens: limit }),
  };
}
