// That the server answers real clients as recorded: the official SDKs, plain requests, many at once, and those that go astray.

import { Anthropic } from "@anthropic-ai/sdk";
import { request as httpRequest } from "node:http";
import { OpenAI } from "openai";
import { afterEach, describe, expect, test } from "vitest";
import type { Exchange, Fixture, FixtureResponse } from "../../../schemas/types.ts";
import { faultOf } from "../fixture/fault.ts";
import type { Fault } from "../fixture/fault.ts";
import { readFixture } from "../fixture/fixture-file.ts";
import { TapeServer } from "./tape-server.ts";

const servers: TapeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(): Promise<TapeServer> {
  const server = await TapeServer.start();
  servers.push(server);
  return server;
}

function fixture(...responses: FixtureResponse[]): Fixture {
  const exchanges = responses.map((response): Exchange => ({ provider: "openai-chat", request: null, response }));
  return { fixture: 1, origin: "crafted", why: "test", exchanges };
}

const completions = "/openai/v1/chat/completions";
const headers = { "content-type": "application/json" };
const post = (url: string, body = "{}") => fetch(url, { method: "POST", headers, body });
const open = { name: "f.json", rules: false };

describe("the official SDKs", () => {
  test("of OpenAI is answered, whole and as a stream", async () => {
    const server = await start();
    for (const name of ["weather-loop", "weather-loop-streamed"]) {
      const recorded = await readFixture(`fixtures/openai-chat/${name}.json`);
      const { tape, base_url } = server.openRoot(recorded, { name });
      const client = new OpenAI({ baseURL: base_url, apiKey: "none", maxRetries: 0 });
      for (const { request } of recorded.exchanges) {
        const completion = await client.chat.completions.create(request!.body as never);
        if (name.endsWith("streamed")) for await (const _ of completion as never as AsyncIterable<unknown>);
      }
      expect(tape.verdict).toMatchObject({ passed: true, problems: [] });
    }
  });

  test("of Anthropic is answered, and shown what differs", async () => {
    const server = await start();
    const recorded = await readFixture("fixtures/anthropic-messages/weather-loop.json");
    const { tape, base_url } = server.openRoot(recorded, { name: "weather" });
    const client = new Anthropic({ baseURL: base_url, apiKey: "none", maxRetries: 2 });
    const body = recorded.exchanges[0]!.request!.body as object;
    await expect(client.messages.create({ ...body, model: "other" } as never)).rejects.toThrow(
      /\/model[^]*received {2}\\"other/,
    );
    expect(tape.verdict).toMatchObject({ passed: false, requests: 1 });
  });
});

test("a stream is written as recorded, joined events together [REPLAY-5]", async () => {
  const server = await start();
  const events = [{ data: { n: 1 } }, { data: { n: 2 }, joined: true as const }, { data: "[DONE]" }];
  server.openRoot(fixture({ status: 200, events }), open);
  const answer = await post(server.origin + completions);
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  expect(await answer.text()).toBe('data: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\n');
});

test("the pauses of the recording are kept where that is asked for", async () => {
  const server = await start();
  const events = [
    { data: 1, at_ms: 0 },
    { data: 2, at_ms: 60 },
  ];
  const timed = async (timing: "fast" | "recorded") => {
    server.openRoot(fixture({ status: 200, events }), { ...open, timing });
    const began = performance.now();
    await (await post(server.origin + completions)).text();
    return performance.now() - began;
  };
  expect(await timed("recorded")).toBeGreaterThanOrEqual(59);
});

describe("what goes wrong on purpose", () => {
  test("is seen by the client", async () => {
    const server = await start();
    const faults = ["429@1", "reset@2", "cut@3"].map((text) => faultOf(text) as Fault);
    const { tape } = server.openRoot(fixture({ status: 200, body: { long: "answer" } }), { ...open, faults });
    expect((await post(server.origin + completions)).status).toBe(429);
    await expect(post(server.origin + completions)).rejects.toThrow("fetch failed");
    await expect(post(server.origin + completions).then((answer) => answer.text())).rejects.toThrow("terminated");
    expect(await (await post(server.origin + completions)).json()).toEqual({ long: "answer" });
    expect(tape.verdict.passed).toBe(true);
  });

  test("a response that was cut when it was recorded is cut again [REPLAY-5]", async () => {
    const server = await start();
    server.openRoot(fixture({ status: 200, writes: [{ text: "data: 1" }], cut: "server" }), open);
    await expect(post(server.origin + completions).then((answer) => answer.text())).rejects.toThrow("terminated");
  });
});

describe("a tape for one test", () => {
  const openTape = async (server: TapeServer, body: unknown) =>
    (await post(`${server.origin}/_tapes`, JSON.stringify(body))).json() as Promise<Record<string, string>>;

  test("is opened, played and judged apart from the others [REPLAY-7]", async () => {
    const server = await start();
    const [one, other] = await Promise.all(
      [1, 2].map((n) => openTape(server, { fixture: fixture({ status: 200, body: { n } }), rules: false })),
    );
    expect(await (await post(`${other!.base_url}/chat/completions`)).json()).toEqual({ n: 2 });
    const verdict = async (id: string) => (await fetch(`${server.origin}/_tapes/${id}`)).json();
    expect(await verdict(one!.id!)).toMatchObject({ passed: false, used: 0 });
    expect(await verdict(other!.id!)).toMatchObject({ passed: true, used: 1 });
  });

  test("may name a file", async () => {
    const server = await start();
    expect(await openTape(server, { fixture: "fixtures/openai-chat/weather-loop.json" })).toMatchObject({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/openai\/v1$/),
    });
  });

  test("is closed with its verdict, and is gone then", async () => {
    const server = await start();
    const { id } = await openTape(server, { fixture: fixture({ status: 200, text: "x" }) });
    const closed = await fetch(`${server.origin}/_tapes/${id}`, { method: "DELETE" });
    expect(await closed.json()).toMatchObject({
      passed: false,
      message: expect.stringMatching(/^the fixture: failed, 0 of 1 exchanges used/) as string,
    });
    expect((await fetch(`${server.origin}/_tapes/${id}`)).status).toBe(404);
  });

  test.each([
    ['{"fixture": {}}', 400, /not a fixture/],
    ['{"fixture": "nowhere.json"}', 400, /no file nowhere\.json/],
    ['{"fixtures": "x"}', 400, /fixtures is not known/],
    ["{", 400, /JSON/],
  ])("that makes no sense is refused: %s", async (body, status, message) => {
    const server = await start();
    const answer = await post(`${server.origin}/_tapes`, body);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(message)]);
  });
});

describe("who goes astray", () => {
  test("is told where the tapes are", async () => {
    const server = await start();
    const answer = await post(`${server.origin}/openai/v1/chat/completions`);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringMatching(/no tape is open/)]);
  });

  test("and uses the server as a proxy is refused, and the tape is red", async () => {
    const server = await start();
    const { tape } = server.openRoot(fixture({ status: 200, text: "x" }), open);
    const { port } = new URL(server.origin);
    const status = await new Promise((resolve, reject) => {
      const tunnel = httpRequest({ host: "127.0.0.1", port, method: "CONNECT", path: "api.test:443" });
      tunnel
        .on("connect", ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(403);
    expect(tape.verdict.problems).toMatchObject([
      { kind: "elsewhere", message: expect.stringMatching("api.test:443") },
    ]);
  });
});

test("500 streams at once are all answered", async () => {
  const server = await start();
  const events = [{ data: { n: 1 } }, { data: "[DONE]" }];
  const { tape } = server.openRoot(fixture({ status: 200, events }), { ...open, repeat: true });
  const answers = await Promise.all(
    Array.from({ length: 500 }, async () => (await post(server.origin + completions)).text()),
  );
  expect(new Set(answers)).toEqual(new Set(['data: {"n":1}\n\ndata: [DONE]\n\n']));
  expect(tape.verdict).toMatchObject({ passed: true, used: 500 });
});
