// Whose rules a recorded request is held against.

import { expect, it } from "vitest";
import type { Exchange } from "../../../schemas/types.ts";
import { auditFixture } from "./audit-fixture.ts";

const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
const tools = [{ type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } }];
const user = { role: "user", content: "Look." };
const result = { role: "tool", tool_call_id: "call_1", content: "Nothing." };

function exchange(messages: unknown[], message: object, more: Partial<Exchange>, path: string): Exchange {
  const body = { ...(path.includes("deployments") ? {} : { model: "one" }), messages, tools };
  const choices = [
    { index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: "tool_calls" },
  ];
  const response = { status: 200, body: { id: "c", object: "chat.completion", created: 1, model: "one", choices } };
  return { provider: "openai-chat", request: { method: "POST", path, body }, response, ...more };
}

async function found(
  more: Partial<Exchange>,
  path = "/v1/chat/completions",
  thought: object = { reasoning_content: "Hm." },
): Promise<(string | undefined)[]> {
  const exchanges = [
    exchange([user], { ...thought, tool_calls: [call] }, more, path),
    exchange([user, { role: "assistant", content: null, tool_calls: [call] }, result], {}, more, path),
  ];
  const { findings } = await auditFixture({ fixture: 1, origin: "crafted", why: "a test", exchanges });
  return findings.map(({ rule }) => rule);
}

it.each(["deepseek", "moonshot", "kimi-cn"])("a rule of a dialect is asked of its servers: %s", async (upstream) => {
  expect(await found({ upstream })).toContain("openai-chat/reasoning-kept");
});
it("only the field that a server wants back is asked for", async () => {
  const thought = { reasoning: "Hm." };
  expect(await found({ upstream: "deepseek" }, undefined, thought)).not.toContain("openai-chat/reasoning-kept");
});
it.each([{}, { upstream: "somebody" }, { upstream: "openrouter" }])(
  "a rule of a dialect is asked of nobody else: %j",
  async (more) => {
    expect(await found(more)).not.toContain("openai-chat/reasoning-kept");
  },
);
it("a request whose model is in its path names one", async () => {
  const path = "/openai/deployments/mine/chat/completions?api-version=2024-10-21";
  expect(await found({ upstream: "azure" }, path)).not.toContain("openai-chat/model");
});
it.each([
  ["a cloud's", "/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5:rawPredict", []],
  [
    "the provider's",
    "/v1/messages",
    ["anthropic-messages/version-header", "anthropic-messages/model", "anthropic-messages/unknown-fields"],
  ],
] as const)("at %s path, the version is where that host has it", async (_, path, broken) => {
  const headers = { "content-type": "application/json", "anthropic-version": "" };
  const messages = [{ role: "user", content: "Look." }];
  const body = { anthropic_version: "vertex-2023-10-16", max_tokens: 10, messages };
  const exchanges: Exchange[] = [
    { provider: "anthropic-messages", request: { method: "POST", path, headers, body }, response: { status: 200 } },
  ];
  const { findings } = await auditFixture({ fixture: 1, origin: "crafted", why: "a test", exchanges });
  expect(findings.map(({ rule }) => rule)).toEqual(broken);
});

it("a signature is not held against another call that has the same id", async () => {
  const called = (signature: string) => ({
    role: "model",
    parts: [{ functionCall: { id: "call_0", name: "look", args: {} }, thoughtSignature: signature }],
  });
  const contents: object[] = [{ role: "user", parts: [{ text: "Look." }] }];
  const seen = { role: "user", parts: [{ functionResponse: { id: "call_0", name: "look", response: { at: 1 } } }] };
  const exchanges = ["b25l", "dHdv", "dGhyZWU="].map((signature): Exchange => {
    const path = "/v1beta/models/gemini-3-flash-preview:generateContent";
    const request = { method: "POST", path, body: { contents: [...contents] } };
    contents.push(called(signature), seen);
    const candidates = [{ index: 0, content: called(signature), finishReason: "STOP" }];
    return { provider: "gemini", request, response: { status: 200, body: { candidates } } };
  });
  const { findings } = await auditFixture({ fixture: 1, origin: "crafted", why: "a test", exchanges });
  expect(findings.map(({ rule }) => rule)).not.toContain("gemini/signature-kept");
});
