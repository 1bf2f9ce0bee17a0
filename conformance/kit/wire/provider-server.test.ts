// The provider server: answers under each run's path, refuses as a provider does, holds, cuts, and sees clients go away.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RuleBreach, ScriptedResponse } from "./codec.ts";
import { anthropicMessages } from "./anthropic-messages/index.ts";
import { openaiResponses } from "./openai-responses/index.ts";
import { startProviderServer, type ProviderServer } from "./provider-server.ts";
import type { RunOptions } from "./provider-types.ts";

const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: null,
};
const hello: ScriptedResponse = {
  parts: [{ text: "Hello there." }, { text: "Bye." }],
  stop_reason: "end_turn",
  usage,
  model: "replay",
  id: "r1",
};
const headers = { "content-type": "application/json", "x-api-key": "test-key", "anthropic-version": "2023-06-01" };
const body = { model: "replay", max_tokens: 100, messages: [{ role: "user", content: "Hi" }] };

let server: ProviderServer;
let count = 0;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.stop());

function open(options: Partial<RunOptions> = {}) {
  count += 1;
  return server.open(`run${count}`, {
    codec: anthropicMessages,
    transport: "json",
    onRequest: () => ({ response: hello }),
    ...options,
  });
}

function post(baseUrl: string, payload: unknown = body, init: RequestInit = {}): Promise<Response> {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return fetch(`${baseUrl}/v1/messages`, { method: "POST", headers, body: text, ...init });
}

describe("answers", () => {
  it("renders the reply of the run, and keeps the transcript without keys", async () => {
    const run = open();
    const response = await post(run.baseUrl);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      content: [{ type: "text", text: "Hello there." }, { text: "Bye." }],
      stop_reason: "end_turn",
    });
    const [exchange] = run.transcript;
    expect(exchange).toMatchObject({
      number: 1,
      request: { method: "POST", path: "/v1/messages", body },
      complete: true,
      aborted: false,
    });
    expect(exchange?.request.headers).not.toHaveProperty("x-api-key");
    expect(exchange?.response?.text).toContain("Hello there.");
    expect(exchange?.generic?.messages).toEqual([{ role: "user", content: "Hi" }]);
  });

  it("keeps what the server of the provider would", async () => {
    const responses: ScriptedResponse[] = [
      { ...hello, parts: [{ tool_call: { id: "c1", name: "look", input: {} } }], stop_reason: "tool_use" },
      { ...hello, id: "r2" },
    ];
    const run = open({
      codec: openaiResponses,
      onRequest: ({ number }) => ({ response: responses[number - 1] ?? hello }),
    });
    const ask = async (payload: object) => {
      const init = { method: "POST", headers: { ...headers, authorization: "Bearer test-key" } };
      const answer = await fetch(`${run.baseUrl}/responses`, { ...init, body: JSON.stringify(payload) });
      return (await answer.json()) as { id: string };
    };
    const { id } = await ask({ model: "replay", input: "Hi" });
    const output = { type: "function_call_output", call_id: "c1", output: "Seen." };
    await ask({ model: "replay", previous_response_id: id, input: [output] });
    expect(run.transcript[1]?.generic?.messages).toMatchObject([
      { role: "user", content: "Hi" },
      { type: "tool_call", id: "c1" },
      { type: "tool_result", id: "c1", output: "Seen." },
    ]);
    await ask({ model: "replay", previous_response_id: "resp_other", input: [output] });
    expect(run.transcript[2]?.breaches).toMatchObject([{ rule: "openai-responses/previous-response" }]);
  });

  it("keeps runs apart while they are served at the same time", async () => {
    const runs = Array.from({ length: 20 }, (_, at) =>
      open({ onRequest: () => ({ response: { ...hello, parts: [{ text: `run ${at}` }] } }) }),
    );
    const texts = await Promise.all(runs.map(async (run) => (await post(run.baseUrl)).text()));
    expect(texts.every((text, at) => text.includes(`"run ${at}"`))).toBe(true);
  });

  it("waits for the handler, and lets it send exact bytes", async () => {
    const gate = Promise.withResolvers<void>();
    const run = open({
      onRequest: async () => {
        await gate.promise;
        return {
          wire: { status: 418, headers: { "x-tea": "yes" }, writes: [{ text: "short " }, { text: "and stout" }] },
        };
      },
    });
    const pending = post(run.baseUrl);
    gate.resolve();
    const response = await pending;
    expect([response.status, response.headers.get("x-tea"), await response.text()]).toEqual([
      418,
      "yes",
      "short and stout",
    ]);
  });

  it("writes each write by itself, and holds after a part until it is released", async () => {
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const run = open({
      transport: "sse",
      onRequest: () => ({
        response: hello,
        afterPart(part) {
          if (part !== 1) return;
          reached.resolve();
          return gate.promise;
        },
      }),
    });
    const response = await post(run.baseUrl, { ...body, stream: true });
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    await reached.promise;
    let seen = "";
    while (!seen.includes("content_block_stop")) seen += (await reader.read()).value ?? "";
    expect(seen).not.toContain("Bye.");
    expect(run.transcript[0]).toMatchObject({ complete: false });
    gate.resolve();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) seen += chunk.value;
    expect(seen).toContain("message_stop");
    expect(seen).toBe(run.transcript[0]?.response?.text);
  });

  it("resets the connection before headers, and after the writes", async () => {
    const early = open({ onRequest: () => ({ fault: { kind: "network", message: "gone", after: [] } }) });
    await expect(post(early.baseUrl)).rejects.toThrow();
    const late = open({
      onRequest: () => ({ wire: { status: 200, headers: {}, writes: [{ text: "half" }], reset: true } }),
    });
    const response = await post(late.baseUrl);
    await expect(response.text()).rejects.toThrow();
  });
});

describe("refusals", () => {
  it("answers a request that breaks a rule as the provider does, and reports it [KIT-5]", async () => {
    const seen: RuleBreach[] = [];
    const run = open({ onBreach: (breaches) => seen.push(...breaches), onRequest: () => expect.unreachable() });
    const response = await post(run.baseUrl, {
      ...body,
      messages: [{ role: "user", content: [{ type: "text", text: "" }] }],
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
    expect(seen).toMatchObject([{ rule: "anthropic-messages/text-non-blank", requirement: "ANTHROPIC-8" }]);
    expect(run.transcript[0]?.breaches).toHaveLength(1);
  });

  it.each([
    ["json", () => ({ payload: "{", init: {} }), 400],
    ["transport", () => ({ payload: { ...body, stream: true }, init: {} }), 400],
    ["method", () => ({ payload: "", init: { method: "PUT" } }), 400],
  ])("refuses what no provider would take: %s", async (rule, request, status) => {
    const seen: string[] = [];
    const run = open({ onBreach: (breaches) => seen.push(...breaches.map((breach) => breach.rule)) });
    const { payload, init } = request();
    expect((await post(run.baseUrl, payload, init)).status).toBe(status);
    expect(seen).toEqual([`anthropic-messages/${rule}`]);
  });

  it("answers another path with 404, and ignores the query", async () => {
    const run = open();
    expect((await fetch(`${run.baseUrl}/v1/models`)).status).toBe(404);
    expect(
      (await fetch(`${run.baseUrl}/v1/messages?beta=true`, { method: "POST", headers, body: JSON.stringify(body) }))
        .status,
    ).toBe(200);
    expect(run.transcript[0]?.breaches[0]?.rule).toBe("anthropic-messages/endpoint");
  });

  it("keeps requests that belong to no open run", async () => {
    const run = open();
    server.close(run.name);
    const response = await post(run.baseUrl);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain(`no run is open at /${run.name}`);
    expect(server.strays.at(-1)).toEqual({ method: "POST", path: `/${run.name}/v1/messages` });
  });

  it("reports a handler that throws, and answers with status 500", async () => {
    const failures: unknown[] = [];
    const run = open({
      onFailure: (error) => failures.push(error),
      onRequest: () => {
        throw new Error("the kit's own fault");
      },
    });
    expect((await post(run.baseUrl)).status).toBe(500);
    expect(failures).toHaveLength(1);
  });
});

describe("endings", () => {
  it("sees that the client went away, and frees what was held", async () => {
    const gone = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const run = open({
      transport: "sse",
      onDisconnect: () => gone.resolve(),
      onRequest: () => ({
        response: hello,
        afterPart: () => {
          held.resolve();
          return new Promise(() => {});
        },
      }),
    });
    const controller = new AbortController();
    const response = await post(run.baseUrl, { ...body, stream: true }, { signal: controller.signal });
    await held.promise;
    controller.abort();
    await gone.promise;
    await expect(response.text()).rejects.toThrow();
    expect(run.transcript[0]).toMatchObject({ aborted: true, complete: false });
    expect(run.transcript[0]?.gone.aborted).toBe(true);
  });

  it("sees a client go away that was not answered yet", async () => {
    const received = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const run = open({
      onDisconnect: () => gone.resolve(),
      onRequest: () => {
        received.resolve();
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const pending = post(run.baseUrl, body, { signal: controller.signal });
    pending.catch(() => {});
    await received.promise;
    controller.abort();
    await gone.promise;
    expect(run.transcript[0]).toMatchObject({ aborted: true });
  });

  it("cuts off what is being answered when a run is closed", async () => {
    const held = Promise.withResolvers<void>();
    const run = open({
      transport: "sse",
      onRequest: () => ({
        response: hello,
        afterPart: () => {
          held.resolve();
          return new Promise(() => {});
        },
      }),
    });
    const response = await post(run.baseUrl, { ...body, stream: true });
    await held.promise;
    server.close(run.name);
    await expect(response.text()).rejects.toThrow();
  });

  it("stops although connections are kept alive", async () => {
    const other = await startProviderServer();
    const run = other.open("one", {
      codec: anthropicMessages,
      transport: "json",
      onRequest: () => ({ response: hello }),
    });
    await (await post(run.baseUrl)).text();
    await other.stop();
    await expect(post(run.baseUrl)).rejects.toThrow();
  });
});
