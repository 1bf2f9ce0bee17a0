// That cassettes and files of aimock become fixtures that say the same, without secrets, and that what is lost is told.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Fixture, FixtureResponse } from "../../../schemas/types.ts";
import { parseFixture } from "../fixture/fixture-file.ts";
import { providerUpstreams } from "../record/routes.ts";
import { createScan } from "../fixture/secrets.ts";
import { readAimock } from "./aimock.ts";
import { readJsonExchanges } from "./json-exchanges.ts";
import { formatOf } from "./recognise.ts";
import { toFixture } from "./to-fixture.ts";
import { readCassette } from "./vcr.ts";
import { withoutSecrets } from "./without-secrets.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "testing", name), "utf8");
const options = { file: "f", upstreams: providerUpstreams, importer: "agent-loop 0", crafted: undefined };

/** A fixture, checked against its schema. */
const valid = (fixture: Fixture) => parseFixture("f", JSON.stringify(fixture));

describe("a cassette", () => {
  test("of vcrpy keeps what was said, unpacked [FIXTURE-4]", () => {
    const { fixture, losses } = toFixture(readCassette("f", read("vcrpy.yaml")), options);
    expect(valid(fixture)).toMatchObject({
      recorded: { date: "2026-01-31T10:00:00.000Z", recorder: "vcrpy, imported by agent-loop 0", model: "gpt-4.1" },
      exchanges: [
        {
          provider: "openai-chat",
          request: { method: "POST", path: "/v1/chat/completions", body: { messages: [{ content: "Hi." }] } },
          response: { status: 200, body: { choices: [{ message: { content: "Hello." } }] } },
        },
        {
          upstream: "openai",
          request: { method: "GET", path: "/v1/models" },
          response: { body: { data: [] } },
        },
      ],
    });
    expect(JSON.stringify(fixture)).not.toContain("opens-everything");
    expect(losses).toEqual([
      "headers that no client acts upon are left out: authorization, content-encoding, date, openai-organization",
    ]);
  });

  test("of Ruby's vcr does too", () => {
    const { fixture } = toFixture(readCassette("f", read("vcr-ruby.yml")), options);
    expect(valid(fixture)).toMatchObject({
      recorded: { date: "2026-01-31T10:00:00.000Z", recorder: "VCR 6.2.0, imported by agent-loop 0" },
      exchanges: [
        {
          provider: "anthropic-messages",
          request: { headers: { "anthropic-version": "2023-06-01" }, body: { max_tokens: 16 } },
          response: {
            status: 529,
            headers: { "x-should-retry": "true" },
            body: { error: { type: "overloaded_error", message: "Overloaded" } },
          },
        },
      ],
    });
  });

  test("of Ruby's vcr has its bytes under a tag of its own", () => {
    const { fixture } = toFixture(readCassette("f", read("vcr-ruby-binary.yml")), options);
    expect(valid(fixture).exchanges).toMatchObject([
      { response: { body: { choices: [{ message: { content: "Grüße." } }] } } },
    ]);
  });

  test("of go-vcr keeps what was said", () => {
    const { fixture } = toFixture(readCassette("f", read("go-vcr.yaml")), options);
    expect(valid(fixture)).toMatchObject({
      recorded: { date: "2026-01-31T10:00:00.000Z", recorder: "go-vcr, imported by agent-loop 0" },
      exchanges: [
        {
          provider: "openai-chat",
          request: { method: "POST", path: "/v1/chat/completions", body: { model: "gpt-4.1" } },
          response: { status: 200, body: { choices: [{ message: { content: "Hello." } }] } },
        },
      ],
    });
  });

  test("of R's vcr does too, with a status as a text and as a number", () => {
    const { fixture } = toFixture(readCassette("f", read("vcr-r.yml")), options);
    expect(valid(fixture)).toMatchObject({
      recorded: { date: "2026-01-31T10:00:00.000Z", recorder: "vcr/1.2.0, webmockr/0.8.2, imported by agent-loop 0" },
      exchanges: [
        {
          request: { method: "POST" },
          response: { status: 200, body: { choices: [{ message: { content: "Hello." } }] } },
        },
        { response: { status: 429, headers: { "retry-after": "3" }, body: { error: { message: "Slow down." } } } },
      ],
    });
  });

  test("with a tag that nobody knows says so", () => {
    const text = read("go-vcr.yaml").replace("body: '{\"model", "body: !sealed '{\"model");
    expect(readCassette("f", text).losses).toEqual([
      expect.stringMatching(/^not understood, and read as a text: .*!sealed/),
    ]);
  });

  test.each([
    ["interactions: [", /expected a cassette in YAML, but/],
    ["a: 1", /expected a cassette with interactions \(vcrpy, go-vcr\) or http_interactions/],
    ["interactions: [{request: {}}]", /f, interactions 1, response: expected an object, got nothing/],
  ])("such as %s is refused in words", (text, message) => {
    expect(() => readCassette("f", text)).toThrow(message);
  });
});

describe("requests with their responses in JSON", () => {
  test("become exchanges, and what is lost is told [FIXTURE-4]", () => {
    const { fixture, losses } = toFixture(readJsonExchanges("f", read("pairs.json")), options);
    expect(valid(fixture).exchanges).toMatchObject([
      {
        provider: "openai-chat",
        request: { method: "POST", headers: { "content-type": "application/json" }, body: { model: "gpt-4.1" } },
        response: { status: 200, body: { choices: [{ message: { content: "Hello." } }] } },
      },
    ]);
    expect(losses.slice(0, 2)).toEqual(["note is left out", expect.stringMatching(/whose bytes may be others/)]);
  });

  test("may stand under a name, with other words for the same", () => {
    const request = { host: "api.openai.com", path: "/v1/responses", body: '{"model":"m"}' };
    const response = {
      statusCode: 500,
      headers: [{ name: "Retry-After", value: "1" }],
      body: "e30=",
      encoding: "base64",
    };
    const { exchanges } = readJsonExchanges("f", JSON.stringify({ recordings: [{ request, response }] }));
    expect(exchanges).toMatchObject([
      { method: "POST", url: "https://api.openai.com/v1/responses", status: 500, headers: { "retry-after": "1" } },
    ]);
    expect(Buffer.from(exchanges[0]!.body!).toString()).toBe("{}");
  });

  test.each([
    ["{", /expected requests and responses in JSON, but/],
    ['{"a":1}', /expected \{"request"/],
    ['[{"request":{},"response":{}}]', /f, 1, request, url|f, 1, url|expected a text/],
  ])("such as %s is refused in words", (text, message) => {
    expect(() => readJsonExchanges("f", text)).toThrow(message);
  });
});

describe("a format is seen from the file", () => {
  test.each([
    ["browser.har", "har"],
    ["vcrpy.yaml", "vcr"],
    ["vcr-ruby.yml", "vcr"],
    ["vcr-ruby-binary.yml", "vcr"],
    ["go-vcr.yaml", "vcr"],
    ["vcr-r.yml", "vcr"],
    ["pairs.json", "json"],
    ["aimock.json", "aimock"],
  ])("of %s: %s [FIXTURE-8]", (name, format) => {
    expect(formatOf(name, read(name))).toBe(format);
  });

  test.each([
    ['{"fixture":1,"exchanges":[]}', /is a fixture already/],
    ["hello", /none of the formats that are known.*--from/],
  ])("but not of %s [FIXTURE-8]", (text, message) => {
    expect(() => formatOf("f", text)).toThrow(message);
  });
});

describe("a fixture file of aimock", () => {
  test("becomes the answers of a provider, in the order of the file [FIXTURE-4]", () => {
    const { fixture, losses } = readAimock("f", read("aimock.json"), { provider: "openai-chat", transport: "json" });
    expect(valid(fixture)).toMatchObject({
      origin: "crafted",
      why: "imported from f of aimock",
      exchanges: [
        {
          request: null,
          response: {
            body: {
              model: "gpt-4.1",
              choices: [
                {
                  finish_reason: "tool_calls",
                  message: {
                    content: "Let me see.",
                    tool_calls: [
                      { id: "call_paris", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
                    ],
                  },
                },
              ],
              usage: { prompt_tokens: 7, completion_tokens: 3 },
            },
          },
        },
        { response: { body: { choices: [{ finish_reason: "length", message: { content: "18 °C." } }] } } },
        { response: { body: { choices: [{ message: { content: "Looking.", tool_calls: [{}] } }] } } },
        {
          response: {
            status: 429,
            headers: { "retry-after": "30" },
            body: { error: { message: "Slow down.", type: "rate_limit_error" } },
          },
        },
      ],
    });
    expect(losses).toEqual([
      "the conditions under match are not compared: the answers come in the order of the file",
      "latency is left out",
      "systemFingerprint of a response is left out",
      expect.stringMatching(/^1 exchange of which the order of thoughts, text and calls is not kept: /),
      "1 exchange that is no answer of a chat model, which is left out",
      "1 exchange of the endpoint image, which is left out",
    ]);
  });

  test("becomes streams of another, with thoughts and blocks in their order", () => {
    const { fixture } = readAimock("f", read("aimock.json"), { provider: "anthropic-messages", transport: "sse" });
    const starts = fixture.exchanges.map(({ response }) =>
      (response.events ?? []).flatMap(({ data }) => {
        const { type, content_block: block } = data as { type: string; content_block?: { type: string } };
        return type === "content_block_start" ? [block!.type] : [];
      }),
    );
    expect(starts).toEqual([["text", "tool_use"], ["thinking", "text"], ["tool_use", "text"], []]);
  });

  test("with nothing of a chat model is refused", () => {
    const text = '{"fixtures":[{"match":{},"response":{"embedding":[1]}}]}';
    const format = { provider: "openai-chat", transport: "json" } as const;
    expect(() => readAimock("f", text, format)).toThrow(/nothing in it is an answer of a chat model\n.*\n1 exchange/);
  });
});

describe("a secret", async () => {
  const scan = await createScan(
    new Map([
      ["MY_API_KEY", "opens-everything"],
      ["OTHER_API_KEY", 'opens "two" doors'],
    ]),
  );
  const saying = (response: FixtureResponse): Fixture => ({
    fixture: 1,
    origin: "recorded",
    recorded: { date: "2026-01-31", recorder: "test" },
    exchanges: [{ provider: "openai-chat", request: null, response }],
  });
  const plain = saying({ status: 200, body: { you: "said opens-everything" } });

  test("ends the import, unless it may be replaced", async () => {
    await expect(withoutSecrets(plain, scan, { redact: false })).rejects.toThrow(
      "the value of MY_API_KEY was found in exchange 1; take it out, or import with --redact",
    );
    expect(await withoutSecrets(plain, scan, { redact: true })).toMatchObject({
      recorded: { redacted: ["the value of MY_API_KEY"] },
      exchanges: [{ response: { body: { you: "said [redacted: the value of MY_API_KEY]" } } }],
    });
  });

  test.each<[string, FixtureResponse]>([
    ["split over events", { status: 200, events: [{ data: { t: "opens-" } }, { data: { t: "everything" } }] }],
    ["escaped", { status: 200, body: { a: "opens-\\u0065verything" } }],
    ["encoded", { status: 200, writes: [{ base64: Buffer.from("\u0000 opens-everything").toString("base64") }] }],
  ])("that is %s ends it always", async (_, response) => {
    await expect(withoutSecrets(saying(response), scan, { redact: true })).rejects.toThrow(
      /is split or encoded in exchange 1/,
    );
  });

  test("is nowhere: nothing is changed", async () => {
    const clean = saying({ status: 200, body: {} });
    expect(await withoutSecrets(clean, scan, { redact: false })).toEqual(clean);
  });
});
