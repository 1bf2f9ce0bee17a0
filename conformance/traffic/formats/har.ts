// Reads HTTP archives (HAR 1.2), as browsers and proxies save them. @see http://www.softwareishard.com/blog/har-12-spec/

import { FixtureError } from "../fixture/fixture-file.ts";
import { Fields, isObject } from "./fields.ts";
import type { ForeignExchange, ForeignTraffic } from "./foreign.ts";

/** @throws FixtureError if it is no HTTP archive */
export function readHar(file: string, text: string): ForeignTraffic {
  const log = new Fields(parsed(file, text), file).object("log");
  const creator = log.object("creator");
  const version = creator.raw("version");
  const origin = log.raw("_agent_loop");
  // The entries may stand in any order.
  const exchanges = log.list("entries").map(readEntry);
  exchanges.sort((one, other) => one.began! - other.began!);
  return {
    maker: [creator.text("name"), ...(typeof version === "string" ? [version] : [])].join(" "),
    date: exchanges[0]?.began,
    exchanges,
    ...(isObject(origin) && { origin }),
    losses: ["timings, cookies and pages are left out"],
  };
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (thrown) {
    throw new FixtureError(`${file}: expected an HTTP archive in JSON, but ${(thrown as Error).message}`);
  }
}

function readEntry(entry: Fields): ForeignExchange {
  const request = entry.object("request");
  const response = entry.object("response");
  const own = entry.raw("_agent_loop");
  const marks = isObject(own) ? own : {};
  return {
    request: marks["request"] === null ? null : { headers: headersOf(request), body: postData(request) },
    method: request.text("method").toUpperCase(),
    url: request.text("url"),
    status: response.number("status"),
    headers: headersOf(response),
    body: contentOf(response.object("content")),
    began: entry.date("startedDateTime"),
    ...((marks["cut"] === "client" || marks["cut"] === "server") && { cut: marks["cut"] }),
  };
}

function headersOf(message: Fields): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const header of message.list("headers")) {
    const name = header.text("name").toLowerCase();
    headers[name] = name in headers ? `${headers[name]}, ${header.text("value")}` : header.text("value");
  }
  return headers;
}

/** What was sent. Some tools give the parameters of a form in place of its text. */
function postData(request: Fields): Uint8Array | undefined {
  if (request.raw("postData") === undefined) return undefined;
  const data = request.object("postData");
  const text = data.raw("text");
  // HAR 1.2 has no word for bytes in a request; 1.3 proposed this one.
  if (typeof text === "string") return Buffer.from(text, data.raw("encoding") === "base64" ? "base64" : "utf8");
  const form = data.list("params").map((param) => [param.text("name"), param.text("value")]);
  return Buffer.from(new URLSearchParams(form as [string, string][]).toString());
}

/** The body without its encoding for transport; nothing where it was saved without one that was there. */
function contentOf(content: Fields): Uint8Array | undefined {
  const text = content.raw("text");
  if (typeof text === "string") return Buffer.from(text, content.raw("encoding") === "base64" ? "base64" : "utf8");
  return Number(content.raw("size") ?? 0) > 0 ? undefined : Buffer.of();
}
