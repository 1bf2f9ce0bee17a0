// That a tape in process answers real clients as the server does: the SDKs' `fetch`, MSW, and the adapters behind a loop.

import { Anthropic } from "@anthropic-ai/sdk";
import http from "node:http";
import { setupServer } from "msw/node";
import { OpenAI } from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { agentLoop, defineTool, initSession } from "../../../reference/index.ts";
import { anthropicMessages } from "../../../reference/providers/anthropic-messages/index.ts";
import { openaiChat } from "../../../reference/providers/openai-chat/index.ts";
import { openaiResponses } from "../../../reference/providers/openai-responses/index.ts";
import type { Provider } from "../../../reference/core/ports.ts";
import type { Exchange, Fixture } from "../../../schemas/types.ts";
import { readFixture } from "../fixture/fixture-file.ts";
import { openTape } from "./in-process-tape.ts";
import { tapeHandler } from "./msw.ts";
import { tapeProvider } from "./tape-provider.ts";

const folder = `${import.meta.dirname}/../../../fixtures`;
const providers = ["anthropic-messages", "openai-chat", "openai-responses"] as const;
const loops = providers.flatMap((provider) => [`${provider}/weather-loop`, `${provider}/weather-loop-streamed`]);
const read = (name: string) => readFixture(`${folder}/${name}.json`);

/** The run that the fixtures are of. */
async function weather(provider: Provider, question = "What is the weather in Paris and in Rome?") {
  const get_weather = defineTool({
    name: "get_weather",
    description: "The weather in a city.",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: async ({ city }) => (city === "Rome" ? "24 °C" : "18 °C"),
  });
  const session = initSession({ id: "weather", system: "Answer in one sentence.", user: question });
  return agentLoop({ provider, tools: [get_weather], session }).result;
}

describe("a provider", () => {
  test.each(loops)("is given %s, as the adapter renders it [REPLAY-9]", async (name) => {
    const tape = openTape(await read(name));
    const { status, error } = await weather(tapeProvider(tape));
    expect([status, error]).toEqual(["completed", undefined]);
    tape.verify();
  });

  test("fails the call, the run and the verdict where something else is asked [REPLAY-2, REPLAY-6, REPLAY-9]", async () => {
    const tape = openTape(await read("openai-chat/weather-loop"), { name: "weather" });
    const { error } = await weather(tapeProvider(tape), "What is the weather in Oslo?");
    expect(error?.message).toMatch(/request 1 differs from exchange 1 of weather[^]*\/messages\/1\/content/);
    expect(() => tape.verify()).toThrow(/^weather: failed, 0 of 2[^]*Oslo[^]*exchange 1 was not used/);
  });

  test("asks where the fixture was recorded", async () => {
    const { exchanges, ...rest } = await read("openai-chat/weather-loop");
    const elsewhere = exchanges.map((one): Exchange => ({
      ...one,
      upstream: "groq",
      request: { ...one.request!, path: "/openai/v1/chat/completions" },
    }));
    const tape = openTape({ ...rest, exchanges: elsewhere });
    await weather(tapeProvider(tape));
    expect(tape.verdict).toMatchObject({ passed: true, used: 2 });
  });

  test.each(["fixture.json", undefined, {}])("is not opened for %j, and says what is expected", (value) => {
    expect(() => openTape(value as Fixture)).toThrow(/openTape: expected a fixture; .*readFixture/);
  });

  test("says so if there is no call of a known format", () => {
    const exchanges = [{ request: null, response: { status: 200, body: {} } }];
    const tape = openTape({ fixture: 1, origin: "crafted", why: "test", exchanges });
    expect(() => tapeProvider(tape)).toThrow(/the tape has no model call: expected .* openai-chat/);
  });
});

describe("the fetch of a tape", () => {
  test("is what the SDKs take", async () => {
    for (const name of ["anthropic-messages/weather-loop-streamed", "openai-responses/weather-loop"]) {
      const tape = openTape(await read(name));
      const options = { apiKey: "none", maxRetries: 0, fetch: tape.fetch };
      const [first] = tape.fixture.exchanges;
      const body = first!.request!.body as never;
      if (name.startsWith("openai")) await new OpenAI(options).responses.create(body);
      else
        for await (const _ of (await new Anthropic(options).messages.create(body)) as never as AsyncIterable<unknown>);
      expect(tape.verdict).toMatchObject({ used: 1, problems: [] });
    }
  });

  test("leads nowhere else", async () => {
    const tape = openTape(await read("openai-chat/weather-loop"));
    await expect(tape.fetch("https://example.com/v1/chat/completions")).rejects.toThrow("fetch failed");
    expect(tape.verdict.problems).toMatchObject([
      { kind: "elsewhere", message: expect.stringContaining("example.com") as string },
    ]);
  });

  test("verifies at the end of the block", async () => {
    const fixture = await read("openai-chat/weather-loop");
    const block = () => {
      using _tape = openTape(fixture);
    };
    expect(block).toThrow(/no request was received/);
  });
});

describe("with MSW", () => {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  const adapters = {
    "anthropic-messages": anthropicMessages,
    "openai-chat": openaiChat,
    "openai-responses": openaiResponses,
  };

  test.each(loops)("an adapter with its SDK is answered with %s [REPLAY-9]", async (name) => {
    const tape = openTape(await read(name));
    server.use(tapeHandler(tape));
    const [first] = tape.fixture.exchanges;
    const { model, stream, max_tokens } = first!.request!.body as { model: string; stream?: true; max_tokens?: number };
    const transport = stream ? "sse" : "json";
    const limit = max_tokens === undefined ? {} : { max_tokens };
    const adapter = adapters[first!.provider as keyof typeof adapters];
    const { status } = await weather(adapter({ model, transport, ...limit, api_key: "none" }));
    expect(status).toBe("completed");
    tape.verify();
  });

  test("a client of node:http is answered by a host of another name", async () => {
    const response = { status: 200, text: "opaque" };
    const exchanges = [{ upstream: "acme", request: { method: "GET", path: "/v1/models?page=2" }, response }];
    const fixture: Fixture = { fixture: 1, origin: "crafted", why: "test", exchanges };
    const tape = openTape(fixture, { upstreams: { acme: "http://models.acme.test:8080/api" } });
    server.use(tapeHandler(tape));
    const text = await new Promise((resolve, reject) => {
      const request = http.request("http://models.acme.test:8080/api/v1/models?page=2", (answer) => {
        answer.setEncoding("utf8").on("data", resolve);
      });
      request.once("error", reject).end();
    });
    expect(text).toBe("opaque");
    tape.verify();
  });
});
