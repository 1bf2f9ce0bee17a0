// What comes back of sealed thinking is held against what was sealed.

import { expect, it } from "vitest";
import type { Exchange } from "../../../schemas/types.ts";
import { auditFixture } from "./audit-fixture.ts";

const user = { role: "user", content: "Look." };
const call = { type: "tool_use", id: "call_1", name: "look", input: {} };
const thinking = (signature: string) => ({ type: "thinking", thinking: "Hm.", signature });
const tools = [{ name: "look", input_schema: { type: "object" } }];
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "Nothing." }] };

function exchange(messages: unknown[], content: unknown[], model: string): Exchange {
  const request = { method: "POST", path: "/v1/messages", body: { model, max_tokens: 100, tools, messages } };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const body = { id: "m", type: "message", role: "assistant", model, content, stop_reason: "tool_use", usage };
  return { provider: "anthropic-messages", request, response: { status: 200, body } };
}

async function found(sent: string, models = ["one", "one"]): Promise<string[]> {
  const first = exchange([user], [thinking("c2VhbA=="), call], models[0]!);
  const second = exchange([user, { role: "assistant", content: [thinking(sent), call] }, result], [], models[1]!);
  const { findings } = await auditFixture({ fixture: 1, origin: "crafted", why: "a test", exchanges: [first, second] });
  return findings.map(({ requirement }) => requirement);
}

it("a signature that came back as it was is fine", async () => {
  expect(await found("c2VhbA==")).not.toContain("PROVIDER-20");
});
it("a signature that no answer had was made up", async () => {
  expect(await found("bWFkZQ==")).toContain("PROVIDER-20");
});
it("a signature belongs to the model that gave it", async () => {
  expect(await found("c2VhbA==", ["one", "another"])).toContain("PROVIDER-8");
});
