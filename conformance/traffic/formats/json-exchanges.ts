// Reads requests with their responses in JSON, as many tools and tests keep them: `{request: {…}, response: {…}}`, one or a list.

import { FixtureError } from "../fixture/fixture-file.ts";
import { Fields, isObject } from "./fields.ts";
import type { ForeignExchange, ForeignTraffic } from "./foreign.ts";

/** Under which names a file may have its list. */
const lists = ["exchanges", "interactions", "http_interactions", "recordings", "requests", "calls", "entries"];

/** @throws FixtureError if there is no request with a response in it */
export function readJsonExchanges(file: string, text: string): ForeignTraffic {
  const losses = new Set<string>();
  const entries = pairsIn(parsed(file, text));
  if (entries.length === 0)
    throw new FixtureError(
      `${file}: expected {"request": {…}, "response": {…}}, a list of them, or one under ${lists.join(", ")}`,
    );
  const exchanges = entries.map((entry, at) => readPair(new Fields(entry, `${file}, ${at + 1}`), losses));
  return { maker: "JSON of requests and responses", date: undefined, exchanges, losses: [...losses] };
}

/** Whether a value has requests with their responses. */
export function hasJsonExchanges(value: unknown): boolean {
  return pairsIn(value).length > 0;
}

function pairsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.filter(isPair);
  if (!isObject(value)) return [];
  if (isPair(value)) return [value];
  const list = lists.map((name) => value[name]).find(Array.isArray);
  return (list ?? []).filter(isPair);
}

function isPair(value: unknown): value is Record<string, unknown> {
  return isObject(value) && isObject(value["request"]) && value["response"] !== undefined && value["response"] !== null;
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (thrown) {
    throw new FixtureError(`${file}: expected requests and responses in JSON, but ${(thrown as Error).message}`);
  }
}

function readPair(entry: Fields, losses: Set<string>): ForeignExchange {
  const request = entry.object("request");
  const response = entry.object("response");
  for (const name of entry.names) if (name !== "request" && name !== "response") losses.add(`${name} is left out`);
  return {
    request: { headers: headersOf(request), body: bodyOf(request, losses) },
    method: String(request.raw("method") ?? "POST").toUpperCase(),
    url: urlOf(request),
    status: Number(firstOf(response, ["status", "status_code", "statusCode", "code"]) ?? 200),
    headers: headersOf(response),
    body: bodyOf(response, losses) ?? Buffer.of(),
  };
}

function urlOf(request: Fields): string {
  const url = firstOf(request, ["url", "uri"]);
  if (typeof url === "string") return url;
  const host = firstOf(request, ["host", "hostname"]);
  const path = firstOf(request, ["path", "pathname", "request_uri"]);
  if (typeof host === "string" && typeof path === "string") return `https://${host}${path}`;
  return request.text("url");
}

function firstOf(message: Fields, names: readonly string[]): unknown {
  return names.map((name) => message.raw(name)).find((value) => value !== undefined);
}

/** An object of headers, or a list of pairs, or of `{name, value}`. */
function headersOf(message: Fields): Record<string, string> {
  const headers = message.raw("headers") ?? {};
  const pairs = Array.isArray(headers)
    ? headers.map((one): [unknown, unknown] => (isObject(one) ? [one["name"], one["value"]] : [one[0], one[1]]))
    : Object.entries(headers);
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), [value].flat().join(", ")]));
}

/** A text is what was sent; a value is written as JSON, whose bytes were others. */
function bodyOf(message: Fields, losses: Set<string>): Uint8Array | undefined {
  const body = firstOf(message, ["body", "content", "data", "json", "text"]);
  if (body === undefined) return undefined;
  if (typeof body === "string") return Buffer.from(body, isBase64(message) ? "base64" : "utf8");
  losses.add("a body that is a value and no text is written as JSON, whose bytes may be others");
  return Buffer.from(JSON.stringify(body));
}

function isBase64(message: Fields): boolean {
  return (
    firstOf(message, ["encoding", "body_encoding", "bodyEncoding"]) === "base64" || message.raw("isBase64") === true
  );
}
