// That HTTP archives become fixtures that say the same, fixtures archives, and that what is lost is told.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Fixture, FixtureResponse } from "../../../schemas/types.ts";
import { parseFixture, readFixture } from "../fixture/fixture-file.ts";
import { providerUpstreams } from "../record/routes.ts";
import { readHar } from "./har.ts";
import { toFixture } from "./to-fixture.ts";
import { toHar } from "./to-har.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "testing", name), "utf8");
const maker = { name: "agent-loop", version: "0" };
const options = { file: "f", upstreams: providerUpstreams, importer: "agent-loop 0", crafted: undefined };

/** A fixture, checked against its schema. */
const valid = (fixture: Fixture) => parseFixture("f", JSON.stringify(fixture));

describe("an HTTP archive", () => {
  const { fixture, losses } = toFixture(readHar("f", read("browser.har")), options);

  test("keeps its model calls, in the order in which they began, without keys", () => {
    expect(valid(fixture)).toMatchObject({
      origin: "recorded",
      recorded: { date: "2026-01-31T10:00:00.000Z", recorder: "WebInspector 537.36, imported by agent-loop 0" },
      exchanges: [
        {
          provider: "openai-chat",
          upstream: "llm-acme-test",
          at_ms: 0,
          request: {
            method: "POST",
            path: "/v1/chat/completions?key=redacted",
            // As a text, because 1.0 would become 1.
            body: '{ "model": "m", "messages": [], "temperature": 1.0 }',
          },
          response: { status: 200, body: { choices: [] } },
        },
        {
          provider: "anthropic-messages",
          at_ms: 1500,
          request: { path: "/v1/messages?beta=true", headers: { "anthropic-version": "2023-06-01" } },
          response: {
            headers: { "content-type": "text/event-stream; charset=utf-8" },
            events: [
              { event: "message_start", data: { type: "message_start" } },
              { event: "message_stop", data: { type: "message_stop" } },
            ],
          },
        },
      ],
    });
    expect(JSON.stringify(fixture)).not.toContain("opens-everything");
    expect(fixture.exchanges[1]).not.toHaveProperty("upstream");
  });

  test("says what is lost", () => {
    expect(losses).toEqual([
      "timings, cookies and pages are left out",
      expect.stringMatching(
        /^llm\.acme\.test is the upstream llm-acme-test .* --upstream name=https:\/\/llm\.acme\.test/,
      ),
      expect.stringMatching(/^the timing of the pieces of a stream is not known/),
      expect.stringMatching(/^1 exchange with cdn\.acme\.test, which is left out: .*--upstream/),
      expect.stringMatching(/^1 exchange whose response was saved without its body/),
      expect.stringMatching(/^1 exchange without an answer/),
      "headers that no client acts upon are left out: content-encoding, set-cookie, x-api-key",
    ]);
  });

  test("names its hosts as it is told to", () => {
    const upstreams = [...providerUpstreams, { name: "acme", url: "https://cdn.acme.test" }];
    const imported = toFixture(readHar("f", read("browser.har")), { ...options, upstreams, crafted: "a test" });
    expect(valid(imported.fixture)).toMatchObject({ origin: "crafted", why: "a test" });
    expect(imported.fixture.exchanges[1]).toMatchObject({
      upstream: "acme",
      request: { method: "GET", path: "/app.js" },
      response: { text: "1;\n" },
    });
  });

  test.each([
    ["no JSON", "<html>", /expected an HTTP archive in JSON, but/],
    ["no archive", "{}", /f, log: expected an object, got nothing|f: expected/],
    [
      "half an entry",
      '{"log":{"creator":{"name":"x"},"entries":[{"startedDateTime":"2026-01-31","request":{"headers":[]},"response":{}}]}}',
      /f, log, entries 1, request, method: expected a text, got nothing/,
    ],
  ])("that is %s is refused in words", (_, text, message) => {
    expect(() => readHar("f", text)).toThrow(message);
  });

  test("without a model call is refused, and says why", () => {
    const har = '{"log":{"creator":{"name":"x"},"entries":[]}}';
    expect(() => toFixture(readHar("f", har), options)).toThrow("f: nothing in it is a model call");
  });
});

describe("a fixture that goes to an archive and back", () => {
  const back = (fixture: Fixture, upstreams = providerUpstreams) => {
    const { har } = toHar(fixture, upstreams, maker);
    return toFixture(readHar("f", JSON.stringify(har)), { ...options, upstreams });
  };

  test.each([
    "openai-chat/weather-loop",
    "anthropic-messages/weather-loop-streamed",
    "openai-responses/weather-loop-streamed",
  ])("is %s again", async (name) => {
    const fixture = await readFixture(join(import.meta.dirname, `../../../fixtures/${name}.json`));
    const again = back(fixture).fixture;
    expect(withoutPauses(again)).toEqual(withoutPauses(fixture));
  });

  const exchange = (response: FixtureResponse, request: Fixture["exchanges"][number]["request"] = null): Fixture => ({
    fixture: 1,
    origin: "recorded",
    recorded: { date: "2026-01-31", recorder: "test" },
    replay: { order: "any" },
    exchanges: [{ provider: "openai-chat", upstream: "groq", request, response }],
  });

  test.each<[string, Fixture]>([
    ["a request that was not recorded", exchange({ status: 200, body: { a: 1 } })],
    [
      "bytes",
      exchange(
        { status: 200, writes: [{ base64: "/wA=" }] },
        { method: "POST", path: "/v1/chat/completions", base64: "/wA=" },
      ),
    ],
    [
      "a cut",
      exchange({ status: 200, headers: { "content-type": "text/event-stream" }, events: [{ data: 1 }], cut: "server" }),
    ],
    [
      "the layout of what was asked and answered",
      exchange(
        { status: 200, body: { a: [1, "é"] }, layout: { spaced: true, ascii: true } },
        { method: "POST", path: "/v1/chat/completions", body: { b: [1] }, layout: { indent: "\t", newline: true } },
      ),
    ],
    ["a text", exchange({ status: 500, headers: { "content-type": "text/html", "retry-after": "3" }, text: "<p>" })],
  ])("keeps %s", (_, fixture) => {
    const { exchanges, ...itself } = back(fixture).fixture;
    const { headers: _headers, ...response } = exchanges[0]!.response;
    const { headers: _own, ...expected } = fixture.exchanges[0]!.response;
    expect({ ...itself, exchanges: [{ ...exchanges[0]!, response }] }).toMatchObject({
      ...fixture,
      exchanges: [{ ...fixture.exchanges[0]!, response: expected }],
    });
  });

  test("says what the archive does not", () => {
    const events = [{ data: 1 }, { data: 2, at_ms: 30 }];
    const { har, losses } = toHar(exchange({ status: 200, events }), providerUpstreams, maker);
    expect(har).toMatchObject({
      log: { version: "1.2", entries: [{ time: 30, timings: { send: 0, wait: 0, receive: 30 } }] },
    });
    expect(losses).toEqual([
      expect.stringMatching(/^in which pieces a body was written/),
      "the address of groq is not known: it is written as https://groq.invalid; set it with --upstream groq=url",
    ]);
  });
});

/** What an archive cannot say left out. */
function withoutPauses(fixture: Fixture): Fixture {
  const text = JSON.stringify(fixture, (key, value: unknown) =>
    key === "at_ms" || key === "joined" ? undefined : value,
  );
  return JSON.parse(text) as Fixture;
}
