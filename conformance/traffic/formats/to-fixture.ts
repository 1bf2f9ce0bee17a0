// Makes a fixture of what another tool recorded: the exchanges with model providers, and words for everything that is left out.

import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import type { Exchange, Fixture } from "../../../schemas/types.ts";
import { fixtureResponse, textOf } from "../../kit/wire/fixture-bytes.ts";
import type { Chunk } from "../../kit/wire/fixture-bytes.ts";
import type { Framing } from "../../kit/wire/transport.ts";
import { framingOf } from "../../kit/wire/transports-by-type.ts";
import { requestBody } from "../../kit/base/json-layout.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import { keptHeaders, withoutKeys } from "../fixture/kept-headers.ts";
import { requestValue } from "../fixture/request-value.ts";
import { knownName, providerOf, routeOfUrl } from "../record/routes.ts";
import type { Upstream } from "../record/routes.ts";
import type { ForeignExchange, ForeignTraffic } from "./foreign.ts";
import { Losses } from "./losses.ts";

/** A fixture, and what of the file it does not say. */
export interface Imported {
  fixture: Fixture;
  losses: string[];
}

interface ToFixtureOptions {
  /** What the file is called in messages. */
  file: string;
  upstreams: readonly Upstream[];
  /** This program and its version. */
  importer: string;
  /** Why the fixture exists, if a person wrote or changed the file: then it is crafted. */
  crafted: string | undefined;
}

/**
 * @throws FixtureError if nothing in it is a model call
 * @see FIXTURE-2, FIXTURE-4
 */
export function toFixture(traffic: ForeignTraffic, { file, upstreams, importer, crafted }: ToFixtureOptions): Imported {
  const losses = new Losses(traffic.losses);
  const kept = traffic.exchanges.flatMap((one) => {
    const place = placeOf(one, upstreams, losses);
    return place && isWhole(one, losses) ? [{ one, place }] : [];
  });
  const first = kept[0]?.one.began;
  const hasTimes = kept.some(({ one }) => one.began !== first);
  const exchanges = kept.map(({ one, place }): Exchange => {
    const { path, ...whose } = place;
    const at_ms = hasTimes && one.began !== undefined ? { at_ms: one.began - first! } : {};
    return { ...whose, ...at_ms, request: requestOf(one, path, losses), response: responseOf(one, losses) };
  });
  if (exchanges.length === 0)
    throw new FixtureError([`${file}: nothing in it is a model call`, ...losses.words].join("\n"));
  return { fixture: { fixture: 1, ...originOf(), exchanges }, losses: losses.words };

  /** What the file says of itself, if it was made of a fixture; else it counts as recorded from a real server, unless the caller says that it is crafted. */
  function originOf(): Omit<Fixture, "fixture" | "exchanges"> {
    const { maker, origin, date: when } = traffic;
    if (crafted !== undefined) return { origin: "crafted", why: crafted };
    if (origin !== undefined) return origin as unknown as Fixture;
    if (when === undefined) losses.add("the file does not say when it was recorded; the fixture has the date of today");
    const date = new Date(when ?? Date.now()).toISOString();
    return {
      origin: "recorded",
      recorded: { date, ...modelOf(exchanges), recorder: `${maker}, imported by ${importer}` },
    };
  }
}

type Place = Pick<Exchange, "provider" | "upstream"> & { path: string };

/** Whose the request is; nothing if it is neither a model call nor to a host that was named. */
function placeOf({ method, url }: ForeignExchange, upstreams: readonly Upstream[], losses: Losses): Place | undefined {
  const route = routeOfUrl(method, url, upstreams);
  if (route) {
    const { path, provider, upstream } = route;
    const isOwn = provider !== undefined && provider.startsWith(upstream.name);
    return { path, ...(provider && { provider }), ...(!isOwn && { upstream: upstream.name }) };
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    losses.count(`with ${shown(url)}, which is no address of a host and left out`);
    return undefined;
  }
  const { protocol, host, pathname, search } = new URL(url);
  const provider = providerOf(method, pathname);
  if (provider === undefined) {
    losses.count(
      `with ${host}, which is left out: to keep it, name the host with --upstream name=${protocol}//${host}`,
    );
    return undefined;
  }
  const upstream = knownName(host) ?? nameOf(host);
  losses.add(
    `${host} is the upstream ${upstream} in the fixture; --upstream name=${protocol}//${host} gives it another name`,
  );
  return { path: pathname + search, provider, upstream };
}

function shown(url: string): string {
  return JSON.stringify(url.length > 60 ? `${url.slice(0, 60)}…` : url);
}

/** A name for a host. `.invalid` is what the export gives to hosts of which only the name is known. */
function nameOf(host: string): string {
  return host
    .replace(/\.invalid$/, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
}

function isWhole({ status, body }: ForeignExchange, losses: Losses): boolean {
  if (status < 100) losses.count("without an answer, which is left out");
  else if (body === undefined) losses.count("whose response was saved without its body, which is left out");
  return status >= 100 && body !== undefined;
}

function requestOf({ method, request }: ForeignExchange, path: string, losses: Losses): Exchange["request"] {
  if (!request) return null;
  const headers = keptHeaders(request.headers);
  losses.headers(request.headers, headers);
  const named = Object.keys(headers).length > 0 ? { headers } : {};
  return { method, path: withoutKeys(path), ...named, ...contentOf(request.body) };
}

function contentOf(
  bytes: Uint8Array | undefined,
): Pick<NonNullable<Exchange["request"]>, "body" | "layout" | "base64"> {
  if (!bytes || bytes.length === 0) return {};
  const text = textOf(bytes);
  if (text === undefined) return { base64: Buffer.from(bytes).toString("base64") };
  return requestBody(text);
}

function responseOf({ status, headers: all, body, cut }: ForeignExchange, losses: Losses): Exchange["response"] {
  const headers = keptHeaders(all);
  losses.headers(all, headers);
  const bytes = decoded(body!, all["content-encoding"]);
  const framing = framingOf(headers["content-type"]);
  if (framing)
    losses.add("the timing of the pieces of a stream is not known: each event is a write of its own, without pauses");
  const chunks = framing ? eventsIn(bytes, framing) : [{ bytes }];
  return fixtureResponse({ status, headers, chunks, ...(cut !== undefined && { cut }) });
}

/** A stream with each event in a piece of its own. */
function eventsIn(bytes: Uint8Array, framing: Framing): Chunk[] {
  const events = framing.read(bytes);
  if (events) return events.map((event) => ({ bytes: framing.write(event) }));
  const pieces = textOf(bytes)?.split(/(?<=\n\n|\r\n\r\n)/) ?? [];
  return pieces.length > 0 ? pieces.map((piece) => ({ bytes: Buffer.from(piece) })) : [{ bytes }];
}

const decoders: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** The body without its encoding for transport, which some tools have taken off already. */
function decoded(bytes: Uint8Array, encoding = ""): Uint8Array {
  try {
    return decoders[encoding.toLowerCase()]?.(bytes) ?? bytes;
  } catch {
    return bytes;
  }
}

/** The model that was asked first. */
function modelOf(exchanges: readonly Exchange[]): { model?: string } {
  const models = exchanges.map(({ request }) => (requestValue(request) as { model?: unknown } | undefined)?.model);
  const model = models.find((name) => typeof name === "string");
  return model === undefined ? {} : { model };
}
