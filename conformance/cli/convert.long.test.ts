// That a conversation survives the way from format to format, and that what does not is told. And `repair` as a person meets it.

import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { Fixture, Message, Session } from "../../schemas/types.ts";
import { validate } from "../kit/base/validate.ts";
import { formats } from "../traffic/formats/conversation/conversation.ts";
import { formatOf, readFormat } from "../traffic/formats/conversation/read-format.ts";
import { writeFormat } from "../traffic/formats/conversation/write-format.ts";
import { essence } from "../traffic/read/essence.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-convert-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};

const fixture = (name: string): unknown => JSON.parse(readFileSync(join(root, `fixtures/${name}.json`), "utf8"));
const essences = ({ messages }: Session) => messages.map(essence);
const conversation = (messages: Message[]) => ({ session: { spec_version: "1.0", id: "s", messages }, tools: [] });
const called: Message[] = [
  { role: "user", content: "The weather?" },
  { role: "assistant", content: "I look." },
  { type: "tool_call", id: "call_a", name: "get_weather", input: { city: "Paris" } },
  { type: "tool_result", id: "call_a", output: "18 °C" },
  { role: "assistant", content: "18 °C." },
];

describe("a conversation", () => {
  const providers = ["anthropic-messages", "openai-chat", "openai-responses"] as const;
  const pairs = providers.flatMap((from) => formats.map((to) => ({ from, to })));

  test.each(pairs)(
    "recorded from $from, as $to and back, says the same but for sealed thinking",
    async ({ from, to }) => {
      const { value } = await readFormat("f.json", fixture(`${from}/weather-loop`), "fixture");
      const written = writeFormat(value, to).value;
      expect(formatOf(written)).toBe(to);
      const back = (await readFormat("f.json", written, to)).value;
      const lost = from === to || to === "session" || to === "atif" ? [] : ["thinking"];
      const kept = value.session.messages.filter(({ type }) => !lost.includes(String(type)));
      expect(essences(back.session)).toEqual(kept.map(essence));
      expect(validate("Session", back.session)).toEqual([]);
      if (to !== "atif") expect(back.tools).toEqual(value.tools);
    },
  );

  test("keeps seals for the provider that made them", async () => {
    const { value } = await readFormat("f.json", fixture("anthropic-messages/weather-loop"), "fixture");
    expect(writeFormat(value, "anthropic-messages").losses).toEqual([]);
    expect(JSON.stringify(writeFormat(value, "anthropic-messages").value)).toContain("c2lnbmF0dXJl");
    expect(writeFormat(value, "openai-chat").losses).toEqual([expect.stringContaining("thinking_dropped")]);
  });

  test.each([
    ["openai-chat", /is an error is said by its text alone/],
    ["openai-responses", /is an error is said by its text alone/],
    ["atif", /that the result is an error has no place/],
  ] as const)("loses in %s that a result is an error, and says so", (to, loss) => {
    const failed = called.map((one) => (one.type === "tool_result" ? { ...one, is_error: true } : one));
    expect(writeFormat(conversation(failed), to).losses).toEqual([expect.stringMatching(loss)]);
    expect(writeFormat(conversation(failed), "anthropic-messages").losses).toEqual([]);
    expect(writeFormat(conversation(called), to).losses).toEqual([]);
  });

  test("loses fields of a request that no setting means, and says so", async () => {
    const body = {
      model: "gpt-5",
      messages: [
        { role: "developer", content: "Be short." },
        { role: "user", content: "Hi." },
      ],
      seed: 1,
      temperature: 1,
    };
    const { value, losses } = await readFormat("b.json", body, "openai-chat");
    expect(losses).toEqual(["/seed: not read"]);
    expect(value).toMatchObject({ model: "gpt-5", settings: { temperature: 1 } });
    expect(value.session.messages[0]).toEqual({ role: "system", content: "Be short." });
  });
});

describe("a trajectory", () => {
  test("has a step for each response, with the results of its calls", () => {
    const { value } = writeFormat(conversation(called), "atif");
    expect(value).toMatchObject({
      schema_version: "ATIF-v1.4",
      session_id: "s",
      steps: [
        { step_id: 1, source: "user", message: "The weather?" },
        {
          step_id: 2,
          source: "agent",
          message: "I look.",
          tool_calls: [{ tool_call_id: "call_a", function_name: "get_weather", arguments: { city: "Paris" } }],
          observation: { results: [{ source_call_id: "call_a", content: "18 °C" }] },
        },
        { step_id: 3, source: "agent", message: "18 °C." },
      ],
    });
  });

  test("is read into a valid session, and what has no place is named", async () => {
    const trajectory = {
      schema_version: "ATIF-v1.6",
      session_id: "t",
      agent: { name: "a", version: "1", model_name: "m" },
      notes: "some",
      steps: [
        {
          step_id: 1,
          source: "user",
          message: [
            { type: "text", text: "Look." },
            { type: "image", source: {} },
          ],
          timestamp: "2026-01-01T00:00:00Z",
        },
        {
          step_id: 2,
          source: "agent",
          message: "",
          tool_calls: [
            { tool_call_id: "a", function_name: "look", arguments: {} },
            { tool_call_id: "b", function_name: "look", arguments: {} },
          ],
          observation: { results: [{ content: "seen" }] },
        },
      ],
    };
    const { value, losses } = await readFormat("t.json", trajectory, "atif");
    expect(value.session.messages).toMatchObject([
      { role: "user", content: "Look." },
      { type: "tool_call", id: "a" },
      { type: "tool_call", id: "b" },
      { type: "tool_result", id: "a", output: "seen" },
      { type: "tool_result", id: "b", is_error: true, synthetic: true },
    ]);
    expect(losses).toEqual([
      "/steps/0: a part of type image is not read",
      "not read: notes",
      "not read of the steps: timestamp",
      expect.stringContaining("/messages/2: "),
    ]);
  });
});

describe.concurrent("the commands", () => {
  const main = join(root, "conformance/cli/main.ts");
  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [main, ...args], { cwd: root }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  const broken = { spec_version: "1.0", id: "b", messages: called.filter(({ type }) => type !== "tool_result") };

  test("convert writes to stdout, and losses to stderr", async () => {
    const { code, stdout, stderr } = await run(
      "convert",
      "fixtures/anthropic-messages/weather-loop.json",
      "--to",
      "openai-chat",
      "--model",
      "gpt-5",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      model: "gpt-5",
      messages: [{ role: "system" }, { role: "user" }, {}, {}, {}, {}],
    });
    expect(stderr).toMatch(/^lost: thinking_dropped/);
  });

  test("convert reads a request that is kept as a text, because its numbers are those of another language", async () => {
    const body = '{"model":"m","max_tokens":9,"temperature":1.0,"messages":[{"role":"user","content":"The weather?"}]}';
    const { response } = (fixture("anthropic-messages/weather-loop") as Fixture).exchanges[1]!;
    const provider = "anthropic-messages";
    const exchanges = [{ provider, request: { method: "POST", path: "/v1/messages", body }, response }];
    const path = file("python.json", { fixture: 1, origin: "crafted", why: "a test", exchanges });
    const { code, stdout } = await run("convert", path, "--to", "session");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        messages: [{ role: "user", content: "The weather?" }, { role: "assistant" }],
        metadata: { request: { model: "m", settings: { temperature: 1 } } },
      },
    ]);
  });

  test.each([
    [["nothing.json", "--to", "atif"], /cannot be read/],
    [["fixtures/openai-chat/weather-loop.json", "--to", "yaml"], /--to yaml is not known/],
    [["fixtures/openai-chat/text.json", "--to", "atif"], /has no request/],
    [["schemas/examples/Session/whole-turn.json", "--from", "atif", "--to", "session"], /no ATIF trajectory/],
    [["package.json", "--to", "session"], /its format cannot be detected/],
    [[file("text.json", "text"), "--to", "openai-chat"], /text\.json: its format cannot be detected/],
  ])("convert %j ends with 2", async (args, message) => {
    expect(await run("convert", ...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
  });

  test("repair says what it changes, changes nothing when it is only asked, and nothing twice", async () => {
    const path = file("broken.json", broken);
    const before = readFileSync(path, "utf8");
    const repaired = await run("repair", path, "--dry-run");
    expect([repaired.code, readFileSync(path, "utf8")]).toEqual([1, before]);
    expect(repaired.stderr).toContain("broken.json/messages/2: result_added: ");
    expect((await run("repair", path)).code).toBe(0);
    const session = JSON.parse(readFileSync(path, "utf8")) as Session;
    expect(session.messages.filter(({ type }) => type === "tool_result")).toHaveLength(1);
    expect(await run("repair", path, "--dry-run")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("nothing to repair") as string,
    });
  });

  test("repair writes what comes on stdin to stdout, also if there is nothing to repair", async () => {
    const text = JSON.stringify({ spec_version: "1.0", id: "s", messages: called });
    const { status, stdout } = spawnSync(process.execPath, [main, "repair", "-"], { input: text, encoding: "utf8" });
    expect([status, JSON.parse(stdout)]).toEqual([0, JSON.parse(text)]);
  });

  test("repair ends with 2 for what is no session", async () => {
    const { code, stderr } = await run("repair", file("none.json", { messages: 1 }));
    expect([code, stderr]).toEqual([2, expect.stringContaining("is no session")]);
  });
});
