// What `show` writes of every kind of file, as a person meets it: readable at 80 columns, with and without colour.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { entryLines } from "../traffic/read/entry-lines.ts";
import type { Entry } from "../traffic/read/entries.ts";
import { eventEntries } from "../traffic/read/session-entries.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-show-"));
afterAll(() => rmSync(folder, { recursive: true }));

function show(args: string[], environment: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const { FORCE_COLOR: _forced, ...inherited } = process.env;
    const env = { ...inherited, NO_COLOR: "1", ...environment };
    execFile(process.execPath, [main, "show", ...args], { env, cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const file = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
};

describe.concurrent("show", () => {
  test("a fixture: each thing once, with calls, results and usage", async () => {
    const { code, stdout } = await show(["fixtures/anthropic-messages/weather-loop-streamed.json"]);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines).toContain('call       get_weather {"city":"Paris"}  [toolu_1]');
    expect(lines).toContain("result     24 °C  [toolu_2]");
    expect(lines).toContain("           tool_use · 420 tokens in, 96 out");
    expect(lines.filter((line) => line.startsWith("user "))).toHaveLength(1);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).not.toContain("\u001b[");
  });

  test("errors with their kind, and answers that were cut off", async () => {
    const refused = await show(["fixtures/openai-chat/error-429.json"]);
    expect(refused.stdout).toMatch(/^error +Rate limit reached\. +\[rate_limit · status 429 · again after 1500 ms\]$/m);
    const lost = await show(["fixtures/anthropic-messages/lost-connection.json"]);
    expect(lost.stdout).toMatch(/^assistant +Once upon$/m);
    expect(lost.stdout).toMatch(/^error +cut off by the server$/m);
  });

  test("a request of which the path names the model, and one that is kept as a text", async () => {
    const messages = [{ role: "user", content: "Hello there." }];
    const exchange = (path: string, body: unknown) => ({
      provider: "openai-chat",
      upstream: "azure",
      request: { method: "POST", path, body },
      response: { status: 200, body: { choices: [{ message: { role: "assistant", content: "Hi." } }] } },
    });
    const exchanges = [
      exchange("/openai/deployments/x/chat/completions", { messages }),
      exchange("/v1/chat/completions", `{"model":"m","temperature":1.0,"messages":${JSON.stringify(messages)}}`),
    ];
    const { stdout } = await show([file("python.json", { fixture: 1, origin: "crafted", why: "a test", exchanges })]);
    expect(stdout).toMatch(/^user +Hello there\.$/m);
    expect(stdout).toMatch(/\/v1\/chat\/completions · m · status 200/);
    expect(stdout).not.toContain("undefined");
  });

  test("a session, a snapshot and what is on stdin", async () => {
    const session = await show(["schemas/examples/Session/whole-turn.json"]);
    expect(session.stdout).toMatch(/^user /m);
    const snapshot = await show(["schemas/examples/Snapshot/suspended.json"]);
    expect(snapshot.stdout).toMatch(/^turn 1, suspended/m);
  });

  test("a suspended snapshot: what waits, what was spent, and what resuming will do", async () => {
    const chapter = readFileSync(join(root, "spec/loop/state.md"), "utf8");
    const text = /```json Snapshot\n(.*?)```/s.exec(chapter)![1]!;
    const { stdout } = await show([file("example.json", text)]);
    for (const line of [
      /^What waits\ncall +send \{"to":"Ann"\} {2}\[c2\]\n +waits for approval, with input_hash/m,
      /^What was spent\n +1 turn of 4, 2 calls, 0 s\n +turn 1: 20 tokens in, 10 out$/m,
      /^What resuming will do\n +look \[c1\] is executed, if it is permitted by then\n +send \[c2\] is executed if it is approved/m,
      /then main asks its model for turn 2/,
      /^ +handed on as they are: com\.acme\.ticket$/m,
    ])
      expect(stdout).toMatch(line);
    expect(stdout).not.toContain("warning");
    const changed = await show([file("changed.json", text.replace('"to": "Ann"', '"to": "Bob"'))]);
    expect(changed.stdout).toMatch(/^warning +the input_hash is not that of this call/m);
  });

  test("a snapshot of a subagent that waits, and of the last turn", async () => {
    const path = "schemas/examples/Snapshot/subagent-waits.json";
    const { stdout } = await show([path]);
    expect(stdout).toMatch(/waits for its result\n +asked by a subagent: path \["call_2"\]/);
    expect(stdout).toMatch(/note \[call_1\] was executed, and is not executed again/);
    const snapshot = JSON.parse(readFileSync(join(root, path), "utf8")) as { options: object };
    const last = await show([file("last.json", { ...snapshot, options: { max_turns: 1 } })]);
    expect(last.stdout).toMatch(/then the run ends: it may take no more than 1 turn/);
  });

  test("in colour where it is wanted", async () => {
    const { stdout } = await show(["fixtures/anthropic-messages/text.json"], { FORCE_COLOR: "1", NO_COLOR: "" });
    expect(stdout).toContain("\u001b[1m");
  });

  test("as a page in which text stays text", async () => {
    const session = file("s.json", {
      spec_version: "1.0",
      id: "s",
      messages: [{ role: "user", content: "<script>alert(1)</script>" }],
    });
    const page = join(folder, "page.html");
    expect((await show([session, "--html", page])).code).toBe(0);
    const text = readFileSync(page, "utf8");
    expect(text).toContain("&#60;script&#62;alert(1)");
    expect(text).not.toContain("<script>alert");
    const events = join(root, "schemas/examples/Event/turn-start.json");
    const run = file(
      "run.jsonl",
      [events, events].map((path) => JSON.stringify(JSON.parse(readFileSync(path, "utf8")))).join("\n"),
    );
    for (const [shown, section] of [
      ["fixtures/openai-chat/text.json", "On the wire"],
      [run, "Timeline"],
    ] as const) {
      expect((await show([shown, "--html", page])).code).toBe(0);
      expect(readFileSync(page, "utf8")).toContain(section);
    }
  });

  test.each([
    ["nothing.json", undefined, /cannot be read/],
    ["text.json", "no json", /expected JSON/],
    ["other.json", { some: 1 }, /expected a fixture, a session, a snapshot or events/],
    ["broken.json", { fixture: 1, exchanges: [] }, /looks like a fixture, but is none/],
  ])("says what is wrong with %s", async (name, value, message) => {
    const path = value === undefined ? join(folder, name) : file(name, value);
    expect(await show([path])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
  });
});

describe("events", () => {
  test("tell turns, messages, failures and the end", () => {
    const usage = {
      input_tokens: 9,
      output_tokens: 7,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: 3,
    };
    const error = { kind: "overloaded" as const, message: "too much to do" };
    const entries = eventEntries([
      { type: "run_start", seq: 0, agent: "main" },
      { type: "turn_start", seq: 1, turn: 1 },
      { type: "retry", seq: 2, turn: 1, attempt: 1, error },
      { type: "model_end", seq: 3, turn: 1, stop_reason: "end_turn", usage },
      { type: "message", seq: 4, turn: 1, message: { role: "assistant", content: "Hello." } },
    ] as Parameters<typeof eventEntries>[0]);
    expect(entries.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "heading: run of main",
      "heading: turn 1",
      "warning: again after overloaded: too much to do",
      "note: end_turn · 9 tokens in, 7 out (3 for reasoning)",
      "assistant: Hello.",
    ]);
  });
});

describe("lines", () => {
  const style = { color: false, columns: 40, most: 3 };
  const long: Entry = { kind: "result", text: Array.from({ length: 9 }, (_, at) => `line ${at}`).join("\n") };

  test("are never longer than the screen, also where a word is", () => {
    const lines = entryLines([{ kind: "user", text: `${"word ".repeat(20)}${"x".repeat(90)}` }], {
      ...style,
      most: 99,
    });
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
    expect(lines.join("").replaceAll(/[^x]/g, "")).toHaveLength(90);
  });

  test("count what they leave out", () => {
    expect(entryLines([long], style)).toHaveLength(4);
    expect(entryLines([long], style).at(-1)).toContain("… 6 lines more");
    expect(entryLines([long], { ...style, most: Infinity })).toHaveLength(9);
  });

  test("show escape codes instead of obeying them", () => {
    const [line] = entryLines([{ kind: "result", text: "a\u001b]0;b\u0007\u0000" }], style);
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(line).not.toMatch(/[\u0000-\u0008\u001b]/);
  });
});
