// Reads the exchanges of a fixture in generic terms: what was asked, and what was answered.

import { providers } from "../../../reference/providers/registry.ts";
import { receive } from "../../../reference/providers/shared/receive.ts";
import type { Exchange, Fixture, FixtureResponse, ModelResponse } from "../../../schemas/types.ts";
import type { GenericRequest, ProviderName, AnsweredRequest } from "../../kit/wire/codec.ts";
import { fixtureAnswer } from "../../kit/wire/fixture-bytes.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { requestValue } from "../fixture/request-value.ts";
import { withSentIds } from "./sent-ids.ts";

/** An exchange, and what it says as far as its format is known. */
export interface ReadExchange {
  /** In the fixture, counted from 1. */
  number: number;
  exchange: Exchange;
  /** Absent for everything that is not a model call in a format that the kit knows. */
  provider?: ProviderName;
  /** The model that was asked. */
  model?: string;
  /** Absent if the fixture kept no request, or one that cannot be read. */
  request?: GenericRequest;
  /** Present where there is a provider. */
  answer?: ModelResponse;
}

/** What every exchange of a fixture says, in order. */
export async function readExchanges({ exchanges }: Pick<Fixture, "exchanges">): Promise<ReadExchange[]> {
  const earlier: Record<string, AnsweredRequest[]> = {};
  const read: ReadExchange[] = [];
  for (const [at, exchange] of exchanges.entries()) {
    const { provider, request, response } = exchange;
    const number = at + 1;
    if (!isKnown(provider)) {
      read.push({ number, exchange });
      continue;
    }
    const remembered = (earlier[provider] ??= []);
    const body = requestValue(request);
    const genericRequest = request && readRequest(provider, body, remembered);
    const model = modelIn(body);
    const answer = await readAnswer(provider, response, model);
    read.push({ number, exchange, provider, ...(genericRequest && { request: genericRequest, model }), answer });
    remembered.push({ request: body, wire: fixtureAnswer(response) });
  }
  return withSentIds(read);
}

/** What the reference's adapter makes of an answer. */
export function readAnswer(provider: ProviderName, response: FixtureResponse, model: string): Promise<ModelResponse> {
  const call = { signal: new AbortController().signal, onStream() {}, warn() {} };
  return receive(httpAnswer(response), providers[provider].codec, model, call);
}

/** The answer as `fetch` gives it, in the writes of the fixture; a lost connection is an error of its body. */
export function httpAnswer(response: FixtureResponse): Response {
  const { status, headers, writes, reset } = fixtureAnswer(response);
  const left = writes.map(({ text, bytes }) => bytes ?? Buffer.from(text));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(new Uint8Array(next));
      else if (reset) controller.error(new TypeError("the connection was lost"));
      else controller.close();
    },
  });
  const hasBody = ![101, 204, 205, 304].includes(status);
  return new Response(hasBody ? body : null, { status: status < 200 ? 502 : status, headers });
}

/** The model that a body names; some hosts name it in the path, and nowhere else. */
function modelIn(body: unknown): string {
  const { model } = (body ?? {}) as { model?: unknown };
  return typeof model === "string" ? model : "";
}

function isKnown(provider: string | undefined): provider is ProviderName {
  return provider !== undefined && Object.hasOwn(providers, provider);
}

/** Undefined for a malformed request: it cannot be read. */
function readRequest(provider: ProviderName, body: unknown, earlier: AnsweredRequest[]): GenericRequest | undefined {
  try {
    return codecs[provider].readRequest(body, earlier);
  } catch {
    return undefined;
  }
}
