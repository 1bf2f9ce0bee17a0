// The normal form of a fixture: the smallest that no replay can tell from it.

import type { Exchange, Fixture, FixtureResponse } from "../../reference/types.ts";
import { fixtureAnswer, fixtureResponse } from "../kit/fixture-bytes.ts";
import { saysTheSameJson } from "../kit/json-tokens.ts";
import { Agreement } from "./agreement.ts";
import { bodyOf } from "./asked.ts";
import { FixtureError } from "./fixture-file.ts";
import { keptHeaders } from "./kept-headers.ts";
import { renumber } from "./renumber.ts";

/** A fixture in its normal form, and how often something was changed. */
export interface Normalized {
  fixture: Fixture;
  /** Headers that no client acts upon, or that go without saying. */
  headers: number;
  /** Bodies in a form that is easier to read. */
  forms: number;
  /** Values of requests that the fixture's terms let differ. */
  renumbered: number;
}

type Headers = Record<string, string>;

/**
 * Brings a fixture into its normal form. The normal form of a normal form is itself.
 * @throws FixtureError where a replay could tell the two apart; nothing is changed then
 * @see FIXTURE-5
 */
export function normalForm(fixture: Fixture): Normalized {
  const { fixture: version, origin, why, recorded } = fixture;
  const replay = normalTerms(fixture.replay);
  const { exchanges, renumbered } = renumber(fixture.exchanges.map(normalExchange), replay);
  refuseIfOther(fixture, exchanges);
  return {
    fixture: {
      fixture: version,
      origin,
      ...(why !== undefined && { why }),
      ...(recorded && { recorded }),
      ...(replay && { replay }),
      exchanges,
    },
    headers: sumOf(fixture.exchanges, headerCount) - sumOf(exchanges, headerCount),
    forms: fixture.exchanges.filter((exchange, at) => formsOf(exchange) !== formsOf(exchanges[at]!)).length,
    renumbered,
  };
}

/** What is said by default is not said. */
function normalTerms({ order, volatile = [], like = {} }: NonNullable<Fixture["replay"]> = {}): Fixture["replay"] {
  const terms = {
    ...(order !== undefined && order !== "strict" && { order }),
    ...(volatile.length > 0 && { volatile }),
    ...(Object.keys(like).length > 0 && { like }),
  };
  return Object.keys(terms).length > 0 ? terms : undefined;
}

function normalExchange({ provider, upstream, at_ms, request, response }: Exchange, at: number): Exchange {
  const where = `exchange ${at + 1}`;
  return {
    ...(provider !== undefined && { provider }),
    ...(upstream !== undefined && { upstream }),
    ...(at_ms !== undefined && { at_ms }),
    request: request && normalRequest(request, where),
    response: normalResponse(response, where),
  };
}

function normalRequest(
  { method, path, headers, body, base64 }: NonNullable<Exchange["request"]>,
  where: string,
): NonNullable<Exchange["request"]> {
  const value = typeof body === "string" && saysTheSameJson(body) ? (JSON.parse(body) as unknown) : body;
  return {
    method,
    path,
    ...present(normalHeaders(headers, where)),
    // A text that is JSON of a text would be taken for that text.
    ...(body !== undefined && { body: typeof value === "string" ? body : value }),
    ...(base64 !== undefined && { base64 }),
  };
}

/** In the form that a recorder would have chosen, if it gives the same bytes in the same pieces at the same times. */
function normalResponse(response: FixtureResponse, where: string): FixtureResponse {
  const headers = normalHeaders(response.headers, where);
  const own = { ...response, headers };
  const answer = fixtureAnswer(own);
  const chunks = answer.writes.map(({ text, bytes, at_ms }) => ({
    bytes: bytes ?? Buffer.from(text),
    ...(at_ms !== undefined && { at_ms }),
  }));
  const { status, cut } = response;
  const other = fixtureResponse({ status, headers: answer.headers, chunks, ...(cut !== undefined && { cut }) });
  return inOrder(said(other) === said(own) ? other : own);
}

/** The fields in one order, without what goes without saying. */
function inOrder(response: FixtureResponse): FixtureResponse {
  const { status, headers = {}, cut, body, text, events, writes } = response;
  const { "content-type": type, ...others } = headers;
  const content = {
    ...(cut !== undefined && { cut }),
    ...(body !== undefined && { body }),
    ...(text !== undefined && { text }),
    ...(events && { events: events.map(({ at_ms, ...event }) => (event.joined ? event : timed(event, at_ms))) }),
    ...(writes && { writes: writes.map(({ at_ms, ...write }) => timed(write, at_ms)) }),
  };
  const isImplied = fixtureAnswer({ status, ...content }).headers["content-type"] === type;
  return { status, ...present(isImplied ? others : headers), ...content };
}

function timed<Piece extends object>(piece: Piece, at_ms: number | undefined): Piece & { at_ms?: number } {
  return { ...piece, ...(at_ms !== undefined && { at_ms }) };
}

/** Names in lower case and in one order; only what a client acts upon. */
function normalHeaders(headers: Headers = {}, where: string): Headers {
  const lower = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (lower.has(key) && lower.get(key) !== value)
      throw new FixtureError(`${where} has the header ${key} twice, with two values; take one of them out`);
    lower.set(key, value);
  }
  const kept = Object.entries(keptHeaders(Object.fromEntries(lower)));
  return Object.fromEntries(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function present(headers: Headers): { headers?: Headers } {
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** What a client is answered, as a text that is equal for equal answers: bytes, pieces, times, and what it acts upon. */
function said(response: FixtureResponse): string {
  const heard = normalHeaders(response.headers, "the answer");
  const { status, headers, writes, reset = false } = fixtureAnswer({ ...response, headers: heard });
  const pieces = writes.map(({ text, bytes, at_ms = 0 }) => [at_ms, Buffer.from(bytes ?? text).toString("base64")]);
  return JSON.stringify([status, Object.entries(headers).toSorted(), reset, pieces]);
}

/** Each answer is the same, and each recorded request still agrees with its own exchange. */
function refuseIfOther({ exchanges: before, replay }: Fixture, exchanges: readonly Exchange[]): void {
  const agreement = new Agreement(replay);
  for (const [at, { request, response }] of exchanges.entries()) {
    const { request: asked, response: answered } = before[at]!;
    const isSame = said(response) === said(answered) && request?.base64 === asked?.base64;
    const differences = agreement.compare(valueOf(request), valueOf(asked));
    if (isSame && differences.length === 0) continue;
    const what = isSame ? `would be asked for otherwise (${differences[0]!.pointer})` : "would be answered otherwise";
    throw new FixtureError(`in its normal form, exchange ${at + 1} ${what}; nothing was changed`);
  }
}

/** What a tape compares. */
function valueOf(request: Exchange["request"] | undefined): unknown {
  const body = request?.body;
  return typeof body === "string" ? bodyOf({ body: Buffer.from(body) }) : body;
}

function formsOf({ request, response }: Exchange): string {
  return JSON.stringify([typeof request?.body, Object.keys(response).filter((key) => contents.includes(key))]);
}

const contents = ["body", "text", "events", "writes"];

function headerCount({ request, response }: Exchange): number {
  return Object.keys(request?.headers ?? {}).length + Object.keys(response.headers ?? {}).length;
}

function sumOf(exchanges: readonly Exchange[], count: (exchange: Exchange) => number): number {
  return exchanges.reduce((sum, exchange) => sum + count(exchange), 0);
}
