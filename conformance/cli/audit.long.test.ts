// That the audit finds what crafted traffic breaks, names the requirement and the place, and finds nothing where nothing is broken.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { Exchange, Fixture } from "../../schemas/types.ts";
import { auditFixture } from "../traffic/read/audit-fixture.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-audit-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (name: string) => JSON.parse(readFileSync(join(root, "fixtures", `${name}.json`), "utf8")) as Fixture;
const crafted = (...exchanges: Exchange[]): Fixture => ({ fixture: 1, origin: "crafted", why: "a test", exchanges });

const call = (id: string, city = "Paris") => ({ type: "tool_use", id, name: "get_weather", input: { city } });
const result = (id: string, more = {}) => ({ type: "tool_result", tool_use_id: id, content: "18 °C", ...more });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const question = user({ type: "text", text: "The weather?" });
const tools = [{ name: "get_weather", input_schema: { type: "object" } }];

/** A question, an answer, and the request that goes on from it. */
function loop(answer: { content: unknown[]; stop_reason: string }, messages: unknown[], more = {}): Fixture {
  const ask = (list: unknown[], other = {}) => ({
    method: "POST",
    path: "/v1/messages",
    body: { model: "claude-sonnet-4-5", max_tokens: 100, messages: list, tools, ...other },
  });
  const usage = { input_tokens: 1, output_tokens: 1 };
  const head = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    stop_sequence: null,
    usage,
  };
  const provider = "anthropic-messages";
  const body = { ...head, ...answer };
  const last = { ...head, content: [{ type: "text", text: "18 °C." }], stop_reason: "end_turn" };
  return crafted(
    { provider, request: ask([question]), response: { status: 200, body } },
    { provider, request: ask(messages, more), response: { status: 200, body: last } },
  );
}

async function found(of: Fixture): Promise<string[]> {
  const { findings } = await auditFixture(of);
  return findings.map(({ level, requirement, exchange, pointer }) => `${level} ${requirement} ${exchange} ${pointer}`);
}

const response = { content: [call("a"), call("b", "Rome")], stop_reason: "tool_use" };
const thought = { type: "thinking", thinking: "Hm.", signature: "c2lnbmF0dXJl" };

describe("nothing is found", () => {
  const loops = ["anthropic-messages", "openai-chat", "openai-responses"].flatMap((provider) => [
    `${provider}/weather-loop`,
    `${provider}/weather-loop-streamed`,
    `${provider}/image-in-result`,
  ]);
  test.each([...loops, "anthropic-messages/thread", "openai-responses/previous-response-id"])("in %s", async (name) => {
    const { requests, conversations, findings } = await auditFixture(fixture(name));
    expect(findings).toEqual([]);
    expect([requests > 0, conversations]).toEqual([true, 1]);
  });

  test("in a request that is kept as a text, because its numbers are those of another language [FIXTURE-7]", async () => {
    const whole = loop(response, [question, assistant(...response.content), user(result("a"), result("b"))]);
    const exchanges = whole.exchanges.map((exchange) => {
      const text = JSON.stringify(exchange.request!.body).replace(/^\{/, '{"temperature":1.0,');
      return { ...exchange, request: { ...exchange.request!, body: text } };
    });
    expect(await found({ ...whole, exchanges })).toEqual(await found(whole));
    expect((await found({ ...whole, exchanges })).filter((finding) => finding.startsWith("broken"))).toEqual([]);
  });

  test("in a call that was cut off and answered as not executed", async () => {
    const answer = { content: [call("a")], stop_reason: "max_tokens" };
    const reply = user(result("a", { is_error: true, content: "not executed" }));
    expect(await found(loop(answer, [question, assistant(call("a")), reply]))).toEqual([]);
  });
});

describe("is found", () => {
  test.each([
    [
      "a call without a result",
      [question, assistant(call("a"), call("b", "Rome")), user(result("a"))],
      "broken SESSION-6 2 /messages/1",
    ],
    [
      "results in another order",
      [question, assistant(call("a"), call("b", "Rome")), user(result("b"), result("a"))],
      "broken SESSION-7 2 /messages/2/content/0",
    ],
    ["a call that was left out", [question, assistant(call("a")), user(result("a"))], "broken LOOP-1 2 /messages"],
    [
      "a call that was edited",
      [question, assistant(call("a"), call("b", "Oslo")), user(result("a"), result("b"))],
      "broken LOOP-1 2 /messages/1/content/1",
    ],
  ])("%s", async (_, messages, finding) => {
    expect(await found(loop(response, messages))).toEqual([finding]);
  });

  test("a history that was changed", async () => {
    const { exchanges } = loop(response, [question, assistant(...response.content), user(result("a"), result("b"))]);
    const third = structuredClone(exchanges[1]!);
    const body = third.request!.body as { messages: unknown[] };
    const shortened = user(result("a", { content: "…" }), result("b"));
    body.messages = [
      question,
      assistant(...response.content),
      shortened,
      assistant({ type: "text", text: "18 °C." }),
      user({ type: "text", text: "And now?" }),
    ];
    expect(await found(crafted(...exchanges, third))).toEqual(["broken LOOP-1 3 /messages/2/content/0"]);
  });

  test.each([
    ["dropped", [call("a")]],
    ["edited", [{ ...thought, thinking: "Hm!" }, call("a")]],
  ])("thinking that was %s", async (_, content) => {
    const answer = { content: [thought, call("a")], stop_reason: "tool_use" };
    const more = { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 2000 };
    const findings = await found(loop(answer, [question, assistant(...content), user(result("a"))], more));
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every((finding) => /^broken (ANTHROPIC-9|PROVIDER-7) 2 \/messages/.test(finding))).toBe(true);
  });

  test("reasoning that is sealed and does not come back, where no rule of the provider says so", async () => {
    const [first] = fixture("openai-responses/encrypted-reasoning").exchanges;
    const path = { method: "POST", path: "/v1/responses" };
    const text = { type: "message", role: "user", content: [{ type: "input_text", text: "The weather?" }] };
    const body = { model: "gpt-5", store: false, include: ["reasoning.encrypted_content"], input: [text] };
    const called = { type: "function_call", call_id: "call_a", name: "get_weather", arguments: '{"city":"Paris"}' };
    const output = { type: "function_call_output", call_id: "call_a", output: "18 °C" };
    const again = { ...body, input: [text, called, output] };
    const { response } = fixture("openai-responses/text").exchanges[0]!;
    const provider = "openai-responses";
    const traffic = crafted(
      { ...first!, request: { ...path, body } },
      { provider, request: { ...path, body: again }, response },
    );
    expect(await found(traffic)).toEqual(["broken PROVIDER-7 2 /input"]);
  });

  test.each([
    ["max_tokens", ["broken LOOP-9 2 /messages/2/content/0"]],
    ["refusal", ["broken LOOP-15 2 /messages/2/content/0", "broken LOOP-16 2 /messages"]],
  ])("a call that was executed after %s", async (stop_reason, wanted) => {
    const answer = { content: [call("a")], stop_reason };
    const findings = await found(loop(answer, [question, assistant(call("a")), user(result("a"))]));
    expect(findings).toEqual(wanted);
  });

  test("an answer that broke off and is sent back", async () => {
    const [first] = fixture("anthropic-messages/lost-connection").exchanges;
    const traffic = loop(response, [
      question,
      assistant({ type: "text", text: "Once upon" }),
      user({ type: "text", text: "Go on." }),
    ]);
    traffic.exchanges[0]!.response = first!.response;
    expect(await found(traffic)).toEqual(["broken SESSION-13 2 /messages"]);
  });

  test("the same request after an empty answer, and before the server wanted it", async () => {
    expect(await found(loop({ content: [], stop_reason: "end_turn" }, [question]))).toEqual(["broken LOOP-21 2 "]);
    const hasty = loop(response, [question]);
    hasty.exchanges[0]!.response = fixture("anthropic-messages/error-429").exchanges[0]!.response;
    hasty.exchanges.forEach((exchange, at) => (exchange.at_ms = at * 500));
    expect(await found(hasty)).toEqual(["broken RETRY-2 2 "]);
    hasty.exchanges[1]!.at_ms = 2100;
    expect(await found(hasty)).toEqual([]);
  });

  test("tools that change, as a note", async () => {
    const messages = [question, assistant(...response.content), user(result("a"), result("b"))];
    const more = { tools: [...tools, { name: "get_time", input_schema: { type: "object" } }] };
    expect(await found(loop(response, messages, more))).toEqual(["note PROVIDER-13 2 "]);
  });

  test("a rule that another server does not have, as a note", async () => {
    const traffic = loop(response, [question, assistant(...response.content), user(result("a"), result("b"))], {
      penalty: 1,
    });
    expect(await found(traffic)).toEqual(["broken PROVIDER-26 2 /penalty"]);
    for (const exchange of traffic.exchanges) exchange.upstream = "elsewhere";
    expect(await found(traffic)).toEqual(["note PROVIDER-26 2 /penalty"]);
  });

  test("in each of several conversations", async () => {
    const one = loop(response, [question, assistant(call("a")), user(result("a"))]).exchanges;
    const other = fixture("anthropic-messages/weather-loop").exchanges;
    const { findings, conversations } = await auditFixture(crafted(one[0]!, other[0]!, one[1]!, other[1]!));
    expect(conversations).toBe(2);
    expect(findings.map(({ requirement, exchange }) => `${requirement} ${exchange}`)).toEqual(["LOOP-1 3"]);
  });
});

describe.concurrent("the command", () => {
  const main = join(root, "conformance/cli/main.ts");
  const audit = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [main, "audit", ...args], { cwd: root }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });

  test("says the sentence of the requirement, the exchange and the place, and exits with 1 [FIXTURE-11]", async () => {
    const file = join(folder, "broken.json");
    writeFileSync(file, JSON.stringify(loop(response, [question, assistant(call("a")), user(result("a"))])));
    const { code, stdout } = await audit(file);
    expect(code).toBe(1);
    expect(stdout).toContain("broken.json: 2 requests in 1 conversation");
    expect(stdout).toContain("✗ LOOP-1 essential, loses: the call b of exchange 1 was left out");
    expect(stdout).toContain("  LOOP-1 The loop MUST send in each request all messages");
    expect(stdout).toContain("the call b of exchange 1 was left out (model request 2 /messages)");
    expect(stdout).toMatch(/^not certified from traffic: 1 of \d+ essential requirements/m);
    expect(stdout).toMatch(/^1 broken, \d+ kept, \d+ not seen, \d+ not applicable$/m);
  });

  test("holds what was recorded against a file of expectations too [FIXTURE-11]", async () => {
    const file = join(folder, "expected.yaml");
    writeFileSync(file, "tools:\n  - get_weather\n  - get_time\n");
    const { code, stdout } = await audit("fixtures/openai-chat/weather-loop.json", "--expect", file);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/expected\.yaml:3 \/tools\/1\/name differs from the expected value/),
    ]);
    expect(stdout).toMatch(/not applicable; 1 not as expected$/m);
    writeFileSync(file, "tools: [get_weather, get_weather]");
    const met = await audit("fixtures/openai-chat/weather-loop.json", "--expect", file);
    expect([met.code, met.stdout]).toEqual([0, expect.not.stringContaining("not as expected")]);
  });

  test("exits with 0 where nothing is broken, and with 2 where nothing can be audited [FIXTURE-11]", async () => {
    expect((await audit("fixtures/openai-chat/weather-loop.json", "--json")).code).toBe(0);
    const { code, stderr } = await audit("fixtures/openai-chat/text.json");
    expect([code, stderr]).toEqual([2, expect.stringContaining("has no request that can be audited")]);
  });
});
