// Reads cassettes of VCR, as vcrpy (Python), vcr (Ruby), go-vcr and vcr of R write them, in YAML or JSON.
// @see https://vcrpy.readthedocs.io and https://benoittgt.github.io/vcr/#/cassettes/cassette_format
// @see https://github.com/dnaeon/go-vcr and https://docs.ropensci.org/vcr

import { gunzipSync } from "node:zlib";
import { parseDocument } from "yaml";
import type { ScalarTag } from "yaml";
import { FixtureError } from "../fixture/fixture-file.ts";
import { Fields, isObject } from "./fields.ts";
import type { ForeignExchange, ForeignTraffic } from "./foreign.ts";

/** @throws FixtureError if it is no cassette */
export function readCassette(file: string, text: string): ForeignTraffic {
  const { value, losses } = parsed(file, text);
  const cassette = new Fields(value, file);
  const [list, maker] = interactionsOf(cassette);
  if (list === undefined)
    throw new FixtureError(
      `${file}: expected a cassette with interactions (vcrpy, go-vcr) or http_interactions (vcr of Ruby or R), got ${cassette.names.slice(0, 5).join(", ") || "nothing"}`,
    );
  const exchanges = list.map((interaction) => readInteraction(interaction, losses));
  return { maker, date: dateOf(list[0]), exchanges, losses: [...losses] };
}

/** Whether a text begins as a cassette does. */
export function isCassette(text: string): boolean {
  return /^\s*(?:"?(?:http_)?interactions"?:|\{\s*"(?:http_interactions|interactions|version)")/m.test(text);
}

function interactionsOf(cassette: Fields): [list: Fields[] | undefined, maker: string] {
  if (cassette.raw("http_interactions") !== undefined) {
    const list = cassette.list("http_interactions");
    const maker = cassette.raw("recorded_with") ?? list[0]?.raw("recorded_with");
    return [list, typeof maker === "string" ? maker : "VCR"];
  }
  if (cassette.raw("interactions") === undefined) return [undefined, ""];
  const list = cassette.list("interactions");
  const isOfGo = list.some((one) => one.object("request").raw("url") !== undefined);
  return [list, isOfGo ? "go-vcr" : "vcrpy"];
}

/** Ruby writes bytes with a tag of its own, of one exclamation mark. */
const rubyBinary: ScalarTag = {
  tag: "!binary",
  resolve: (text) => Buffer.from(text, "base64"),
};

/** They write YAML 1.1: bytes are `!!binary` there. What is not understood is a loss, not a text. */
function parsed(file: string, text: string): { value: unknown; losses: Set<string> } {
  const document = parseDocument(text, { version: "1.1", customTags: [rubyBinary] });
  const [error] = document.errors;
  if (error) throw new FixtureError(`${file}: expected a cassette in YAML, but ${firstLine(error.message)}`);
  const losses = new Set(
    document.warnings.map(({ message }) => `not understood, and read as a text: ${firstLine(message)}`),
  );
  return { value: document.toJS(), losses };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}

function readInteraction(interaction: Fields, losses: Set<string>): ForeignExchange {
  const request = interaction.object("request");
  const response = interaction.object("response");
  return {
    request: { headers: headersOf(request), body: bytesOf(request.raw("body"), losses) },
    method: request.text("method").toUpperCase(),
    url: request.text(request.raw("uri") === undefined && request.raw("url") !== undefined ? "url" : "uri"),
    status: statusOf(response),
    headers: headersOf(response),
    body: bytesOf(response.raw("body") ?? response.raw("content"), losses) ?? bodyWithout(response),
  };
}

/** `{code}` of Python and Ruby, `{status_code}` or a number of R, `200 OK` beside `code` of Go, `status_code` of older ones. */
function statusOf(response: Fields): number {
  const status = response.raw("status");
  if (isObject(status)) return numberOf(response.object("status"), "code" in status ? "code" : "status_code");
  if (response.raw("code") !== undefined) return numberOf(response, "code");
  return numberOf(response, typeof status === "number" ? "status" : "status_code");
}

/** R writes its numbers as texts. */
function numberOf(fields: Fields, name: string): number {
  const value = fields.raw(name);
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : fields.number(name);
}

/** A response whose body stands in another file has none here. */
function bodyWithout(response: Fields): Uint8Array | undefined {
  const body = response.raw("body");
  return isObject(body) && body["file"] === true ? undefined : Buffer.of();
}

/** Ruby's and R's cassettes say when; those of the others have it in the headers of the response. */
function dateOf(interaction: Fields | undefined): number | undefined {
  if (!interaction) return undefined;
  const written = interaction.raw("recorded_at") ?? headersOf(interaction.object("response"))["date"];
  const date = Date.parse(written instanceof Date ? written.toISOString() : String(written));
  return Number.isNaN(date) ? undefined : date;
}

/** Headers have one value, or a list of them. */
function headersOf(message: Fields): Record<string, string> {
  const headers = message.raw("headers");
  if (!isObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().map(textOfValue).join(", ")]),
  );
}

function textOfValue(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value);
}

/**
 * A body is a text, bytes, a text or bytes under `string`, bytes in base64 under `base64_string` or `raw`, compressed ones under
 * `raw_gzip`, or a value that a filter made of it.
 */
function bytesOf(body: unknown, losses: Set<string>): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return Buffer.from(body);
  if (!isObject(body)) return Buffer.from(JSON.stringify(body));
  if (typeof body["base64_string"] === "string") return Buffer.from(body["base64_string"], "base64");
  if (typeof body["raw"] === "string") return Buffer.from(body["raw"], "base64");
  if (typeof body["raw_gzip"] === "string") return gunzipSync(Buffer.from(body["raw_gzip"], "base64"));
  if (body["file"] === true) {
    losses.add("a body that stands in a file of its own is left out");
    return undefined;
  }
  if ("string" in body) return bytesOf(body["string"], losses);
  if ("encoding" in body) return undefined;
  losses.add("a body that is a value and no text is written as JSON, whose bytes may be others");
  return Buffer.from(JSON.stringify(body));
}
