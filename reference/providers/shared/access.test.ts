// What is wrong with an address or a key is said before anything is sent, and without the key.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { gemini } from "../gemini/index.ts";
import { openaiChat } from "../openai-chat/index.ts";
import { openaiResponses } from "../openai-responses/index.ts";
import { agentLoop } from "../../run/run.ts";

const adapters = { anthropicMessages, gemini, openaiChat, openaiResponses };
const names = Object.keys(adapters) as (keyof typeof adapters)[];
const wrong: [string, { api_key?: string; base_url?: string }, RegExp][] = [
  ["no key", {}, /credentials|authentication|apiKey|expected a key/i],
  ["an empty key", { api_key: "" }, /api_key: expected the key of the provider, got an empty text|credentials/],
  ["a key with a line break", { api_key: "sk-secret\n" }, /api_key: it has white space/],
  ["a key with a letter that no header has", { api_key: "sk-secret–1" }, /api_key: it has white space or a character/],
  ["an address without a scheme", { api_key: "k", base_url: "localhost:8080" }, /base_url: .*got "localhost:8080"/],
  ["an address that is none", { api_key: "k", base_url: "nonsense" }, /base_url: .*got "nonsense"/],
  ["an empty address", { api_key: "k", base_url: "" }, /base_url: .*got ""/],
  ["an address of something else", { api_key: "k", base_url: "ftp://127.0.0.1" }, /base_url: .*got "ftp:/],
];

/** Where a call would go, if one was sent. */
const server = createServer((_, response) => {
  requests += 1;
  response.writeHead(400).end();
});
let requests = 0;
let origin = "";
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => void (requests = 0));
afterEach(() => vi.unstubAllEnvs());

test.each(names.flatMap((name) => wrong.map((row) => [name, ...row] as const)))(
  "%s: %s is a configuration error at once [PROVIDER-40]",
  async (name, _what, settings, message) => {
    for (const variable of [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "OPENAI_API_KEY",
    ])
      vi.stubEnv(variable, undefined);
    const run = agentLoop({ provider: adapters[name]({ model: "m", base_url: origin, ...settings }), input: "Hi" });
    const events: string[] = [];
    for await (const { type } of run) events.push(type);
    const { error } = await run.result;
    expect(error).toMatchObject({ kind: "configuration", message: expect.stringMatching(message) });
    expect(error!.message).not.toContain("sk-secret");
    expect(events).not.toContain("retry");
    expect(requests).toBe(0);
  },
);

test.each(names)("%s: with a key and an address a call is sent", async (name) => {
  const provider = adapters[name]({ model: "m", api_key: "k", base_url: origin });
  await agentLoop({ provider, input: "Hi" }).result;
  expect(requests).toBeGreaterThan(0);
});

test.each(names)("%s: an address in the environment that is none is told, too", async (name) => {
  vi.stubEnv("ANTHROPIC_BASE_URL", "nonsense");
  vi.stubEnv("GOOGLE_GEMINI_BASE_URL", "nonsense");
  vi.stubEnv("OPENAI_BASE_URL", "nonsense");
  const run = agentLoop({ provider: adapters[name]({ model: "m", api_key: "k" }), input: "Hi" });
  expect((await run.result).error).toMatchObject({
    kind: "configuration",
    // The SDK of Gemini looks at the address itself, and says this of it.
    message: expect.stringContaining(name === "gemini" ? "Invalid URL" : "nonsense"),
  });
});
