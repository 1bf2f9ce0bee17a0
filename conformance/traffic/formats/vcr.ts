// Reads cassettes of VCR, as vcrpy (Python) and vcr (Ruby) write them, in YAML or JSON.
// @see https://vcrpy.readthedocs.io and https://benoittgt.github.io/vcr/#/cassettes/cassette_format

import { parseDocument } from "yaml";
import { FixtureError } from "../fixture/fixture-file.ts";
import { Fields, isObject } from "./fields.ts";
import type { ForeignExchange, ForeignTraffic } from "./foreign.ts";

/** @throws FixtureError if it is no cassette */
export function readCassette(file: string, text: string): ForeignTraffic {
  const cassette = new Fields(parsed(file, text), file);
  if (cassette.raw("http_interactions") !== undefined) {
    const maker = cassette.raw("recorded_with");
    return trafficOf(typeof maker === "string" ? maker : "VCR", cassette.list("http_interactions"));
  }
  if (cassette.raw("interactions") !== undefined) return trafficOf("vcrpy", cassette.list("interactions"));
  throw new FixtureError(`${file}: expected a cassette with interactions (vcrpy) or http_interactions (vcr of Ruby)`);
}

function trafficOf(maker: string, interactions: Fields[]): ForeignTraffic {
  return { maker, date: dateOf(interactions[0]), exchanges: interactions.map(readInteraction), losses: [] };
}

/** Both tools write YAML 1.1: bytes are `!!binary` there. */
function parsed(file: string, text: string): unknown {
  const document = parseDocument(text, { version: "1.1" });
  const [error] = document.errors;
  if (error) throw new FixtureError(`${file}: expected a cassette in YAML, but ${error.message.split("\n", 1)[0]}`);
  return document.toJS();
}

function readInteraction(interaction: Fields): ForeignExchange {
  const request = interaction.object("request");
  const response = interaction.object("response");
  const body = response.raw("body") ?? response.raw("content");
  return {
    request: { headers: headersOf(request), body: bytesOf(request.raw("body")) },
    method: request.text("method").toUpperCase(),
    url: request.text("uri"),
    status: isObject(response.raw("status"))
      ? response.object("status").number("code")
      : response.number("status_code"),
    headers: headersOf(response),
    body: bytesOf(body) ?? Buffer.of(),
  };
}

/** Ruby's cassettes say when; those of vcrpy have it in the headers of the response. */
function dateOf(interaction: Fields | undefined): number | undefined {
  if (!interaction) return undefined;
  const date = Date.parse(String(interaction.raw("recorded_at") ?? headersOf(interaction.object("response"))["date"]));
  return Number.isNaN(date) ? undefined : date;
}

/** Headers have one value, or a list of them. */
function headersOf(message: Fields): Record<string, string> {
  const headers = message.raw("headers");
  if (!isObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().map(String).join(", ")]),
  );
}

/** A body is a text, bytes, a text or bytes under `string` or `base64_string`, or a value that a filter made of it. */
function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return Buffer.from(body);
  if (isObject(body) && typeof body["base64_string"] === "string") return Buffer.from(body["base64_string"], "base64");
  if (isObject(body) && "string" in body) return bytesOf(body["string"]);
  return Buffer.from(JSON.stringify(body));
}
