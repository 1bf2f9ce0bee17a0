// Writes a fixture as an HTTP archive (HAR 1.2), which browsers and many other tools show.

import type { Exchange, Fixture } from "../../../schemas/types.ts";
import type { ProviderName } from "../../kit/wire/codec.ts";
import { STATUS_CODES } from "../../kit/base/node-http.ts";
import { textOf } from "../../kit/wire/fixture-bytes.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { hostOf } from "../../kit/wire/hosts.ts";
import { prepare } from "../fixture/prepared.ts";
import type { PreparedExchange } from "../fixture/prepared.ts";
import type { Upstream } from "../record/routes.ts";

/** An archive, and what of the fixture it does not say. */
export interface Archive {
  har: unknown;
  losses: string[];
}

/**
 * What the archive has no field for stands under `_agent_loop`: what the fixture says of itself, requests that were not kept, cuts.
 * @param maker this program and its version
 */
export function toHar(
  fixture: Fixture,
  upstreams: readonly Upstream[],
  maker: { name: string; version: string },
): Archive {
  const { fixture: _, exchanges, ...itself } = fixture;
  const began = Date.parse(fixture.recorded?.date ?? "1970-01-01");
  const entries = prepare(fixture).map((prepared) => entryOf(prepared, upstreams, began));
  const isStreamed = exchanges.some(({ response }) => (response.events ?? response.writes ?? []).length > 1);
  const unnamed = new Set(exchanges.flatMap((exchange) => urlOf(exchange, upstreams).unnamed ?? []));
  return {
    har: { log: { version: "1.2", creator: maker, entries, _agent_loop: itself } },
    losses: [
      ...(isStreamed
        ? ["in which pieces a body was written is left out, and all pauses but the first and the whole"]
        : []),
      ...[...unnamed].map(
        (name) =>
          `the address of ${name} is not known: it is written as https://${name}.invalid; set it with --upstream ${name}=url`,
      ),
    ],
  };
}

function entryOf(
  { exchange, request, answer }: PreparedExchange,
  upstreams: readonly Upstream[],
  epoch: number,
): unknown {
  const due = answer.writes.map(({ at_ms }) => at_ms);
  const wait = due[0] ?? 0;
  const receive = (due.at(-1) ?? 0) - wait;
  const own = {
    ...(exchange.request === null && { request: null }),
    ...(exchange.response.cut !== undefined && { cut: exchange.response.cut }),
  };
  return {
    startedDateTime: new Date(epoch + (exchange.at_ms ?? 0)).toISOString(),
    time: wait + receive,
    request: requestOf(exchange, request, upstreams),
    response: responseOf(exchange, Buffer.concat(answer.writes.map(({ bytes }) => bytes)), answer.headers),
    cache: {},
    timings: { send: 0, wait, receive },
    ...(Object.keys(own).length > 0 && { _agent_loop: own }),
  };
}

function requestOf(exchange: Exchange, body: Buffer | undefined, upstreams: readonly Upstream[]): unknown {
  const { method = "POST", headers = {} } = exchange.request ?? {};
  const { url } = urlOf(exchange, upstreams);
  const mimeType =
    headers["content-type"] ??
    (exchange.request?.base64 === undefined ? "application/json" : "application/octet-stream");
  return {
    method,
    url,
    ...message(headers),
    queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    ...(body && body.length > 0 && { postData: { mimeType, ...encoded(body) } }),
    bodySize: body?.length ?? 0,
  };
}

function responseOf({ response: { status } }: Exchange, body: Buffer, all: Record<string, string>): unknown {
  const { "content-length": _, ...headers } = all;
  const mimeType = headers["content-type"] ?? "";
  return {
    status,
    statusText: STATUS_CODES[status] ?? "",
    ...message(headers),
    content: { size: body.length, mimeType, ...encoded(body) },
    redirectURL: "",
    bodySize: body.length,
  };
}

function message(headers: Record<string, string>): object {
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return { httpVersion: "HTTP/1.1", cookies: [], headers: list, headersSize: -1 };
}

function encoded(bytes: Buffer): { text: string; encoding?: "base64" } {
  const text = textOf(bytes);
  return text === undefined ? { text: bytes.toString("base64"), encoding: "base64" } : { text };
}

/** The whole address of a request; `unnamed` is its upstream, if the address is unknown. */
function urlOf(
  { provider, upstream, request }: Exchange,
  upstreams: readonly Upstream[],
): { url: string; unnamed?: string } {
  const codec = provider !== undefined && provider in codecs ? codecs[provider as ProviderName] : undefined;
  const name = upstream ?? hostOf(provider).name;
  const known = upstreams.find((one) => one.name === name);
  const path = request?.path ?? (codec ? codec.basePath + codec.endpoint : "/");
  return { url: (known?.url ?? `https://${name}.invalid`) + path, ...(!known && { unnamed: name }) };
}
