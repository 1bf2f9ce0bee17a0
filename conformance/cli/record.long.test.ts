// `record` as a person meets it: what it refuses, what it leaves out, and what it says of it.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { readFixture } from "../traffic/fixture/fixture-file.ts";
import { startUpstream } from "../traffic/testing/upstream.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-record-command-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A made-up key, put together so that no scanner takes it for a real one. */
const key = `sk-${"a1B2".repeat(8)}`;
const timeout = 60_000;

/** Runs `agent-loop record`; the program asks with each of the bodies, one after the other, and prints `end`. */
async function record(out: string, upstream: string, bodies: readonly string[], ...options: string[]) {
  const program = `for (const body of ${JSON.stringify(bodies)})
    await (await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body })).text().catch(() => {});
  console.log("end");`;
  return run(
    "record",
    "-o",
    out,
    "--upstream",
    `openai=${upstream}`,
    ...options,
    "--",
    process.execPath,
    "-e",
    program,
  );
}

function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const answer = ({ body }: { body: Buffer }, response: ServerResponse) => {
  const isSplit = body.toString().includes("split");
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end((isSplit ? [...key] : ["Hello."]).map(event).join(""));
};

test(
  "writes over nothing unless it is asked to, and for its owner only [RECORD-9, RECORD-8]",
  { timeout },
  async () => {
    await using upstream = await startUpstream(answer);
    const out = join(folder, "there.json");
    writeFileSync(out, "precious");
    const refused = await record(out, upstream.url, ["1"]);
    expect(refused).toEqual({ code: 2, output: expect.stringMatching(/there\.json exists; .*--overwrite/) });
    expect([readFileSync(out, "utf8"), upstream.requests]).toEqual(["precious", []]);
    rmSync(out);
    expect((await record(out, upstream.url, ["1"])).code).toBe(0);
    expect(statSync(out).mode & 0o077).toBe(0);
    expect((await record(out, upstream.url, ["1", "2"], "--overwrite")).code).toBe(0);
    expect((await readFixture(out)).exchanges).toHaveLength(2);
  },
);

test("with --redact leaves out what it cannot replace, says so, and goes on [RECORD-10]", { timeout }, async () => {
  await using upstream = await startUpstream(answer);
  const out = join(folder, "split.json");
  const { code, output } = await record(out, upstream.url, ['"one"', '"split"', JSON.stringify({ key })], "--redact");
  expect([code, output]).toEqual([1, expect.stringMatching(/^end$/m)]);
  expect(output).toMatch(/an OpenAI key was found in the response of exchange 2, split or encoded.*left out/);
  expect(output).toMatch(/split\.json: 2 exchanges recorded/);
  expect(output).not.toContain("base URL of its environment");
  expect((await readFixture(out)).exchanges.map(({ request }) => request?.body)).toEqual([
    '"one"',
    { key: "[redacted: an OpenAI key]" },
  ]);
});

test("what was replaced is replayed with another key", { timeout }, async () => {
  const program = `const key = ${JSON.stringify(key.toLowerCase())};
    console.log((await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: JSON.stringify({ key }) })).status);`;
  const out = join(folder, "one.json");
  await using upstream = await startUpstream(answer);
  await record(out, upstream.url, [JSON.stringify({ key })], "--redact");
  const { code, output } = await run("replay", "--no-rules", out, "--", process.execPath, "-e", program);
  expect([code, output]).toEqual([0, expect.stringMatching(/^200$/m)]);
});

test("without --redact the first secret ends the program", { timeout }, async () => {
  await using upstream = await startUpstream(answer);
  const out = join(folder, "ended.json");
  const { code, output } = await record(out, upstream.url, [JSON.stringify({ key })]);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/was found in the request of exchange 1\. The recording was ended/),
  ]);
  expect(existsSync(out)).toBe(false);
});

test(
  "ends with 1 where nothing was recorded, and as the program did where that failed [RECORD-10]",
  { timeout },
  async () => {
    await using upstream = await startUpstream(answer);
    const ask = `await (await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: '"split"' })).text();`;
    const ended = async (name: string, program: string) => {
      const options = ["--redact", "--upstream", `openai=${upstream.url}`, "--", process.execPath];
      return (await run("record", "-o", join(folder, name), ...options, "--input-type=module", "-e", program)).code;
    };
    expect(await ended("nothing.json", "")).toBe(1);
    expect(await ended("nothing-failed.json", "process.exit(7)")).toBe(7);
    expect(await ended("left-out.json", ask)).toBe(1);
    expect(await ended("left-out-failed.json", `${ask} process.exit(7);`)).toBe(7);
  },
);

test("a fixture that cannot be written is said before the program runs", { timeout }, async () => {
  writeFileSync(join(folder, "file"), "");
  const out = join(folder, "file", "f.json");
  const { code, output } = await run("record", "-o", out, "--", process.execPath, "-e", "console.log('ran')");
  expect([code, output]).toEqual([2, expect.stringMatching(/^\S*f\.json cannot be written: /)]);
});

test("a program that cannot be started leaves no log behind", { timeout }, async () => {
  const out = join(folder, "none.json");
  const { code } = await run("record", "-o", out, "--", "no-such-program-anywhere");
  expect([code, existsSync(`${out}.journal`), existsSync(out)]).toEqual([2, false, false]);
});

const question = { role: "user", content: "The weather?" };
const called = { id: "a", type: "function", function: { name: "get_weather", arguments: "{}" } };
const ask = (...messages: unknown[]) =>
  JSON.stringify({
    model: "gpt-4.1",
    messages: [question, ...messages],
    tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object", properties: {} } } }],
  });
const turn = [
  { role: "assistant", content: null, tool_calls: [called] },
  { role: "tool", tool_call_id: "a", content: "18 °C" },
];
const callingModel = ({ body }: { body: Buffer }, response: ServerResponse) => {
  const isFirst = !body.toString().includes("tool_call_id");
  const message = { role: "assistant", content: isFirst ? null : "18 °C.", ...(isFirst && { tool_calls: [called] }) };
  const choices = [{ index: 0, message, finish_reason: isFirst ? "tool_calls" : "stop" }];
  const answered = { id: "c", object: "chat.completion", created: 1, model: "gpt-4.1", choices };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answered));
};

/** A program that asks with each of the bodies, as an SDK does. */
const programOf = (bodies: string[]) => `for (const body of ${JSON.stringify(bodies)})
  await (await fetch(process.env.OPENAI_BASE_URL + "/chat/completions",
    { method: "POST", body, headers: { "content-type": "application/json" } })).text();`;

test("with --audit judges what it recorded, and its exit code says so [RECORD-10]", { timeout }, async () => {
  await using upstream = await startUpstream(callingModel);
  const audited = (name: string, bodies: string[], ...options: string[]) =>
    run(
      ...["record", "-o", join(folder, name), "--upstream", `openai=${upstream.url}`, "--audit", ...options, "--"],
      ...[process.execPath, "-e", programOf(bodies)],
    );
  const good = await audited("good.json", [ask(), ask(...turn)]);
  expect([good.code, good.output]).toEqual([0, expect.stringMatching(/^\d+ kept, \d+ not seen/m)]);
  const report = join(folder, "bad.xml");
  const lost = [ask(), ask(turn[0], { role: "user", content: "And now?" })];
  const options = ["--level", "essential", "--reporter", "pretty", "--reporter", `junit=${report}`];
  const bad = await audited("bad.json", lost, ...options);
  expect([bad.code, bad.output]).toEqual([1, expect.stringMatching(/✗ SESSION-6 essential, bricks: /)]);
  expect(readFileSync(report, "utf8")).toContain('name="SESSION-6 is kept"');
});

test(
  "with --audit ends as the program did if that failed, and says what its options need [RECORD-10]",
  { timeout },
  async () => {
    await using upstream = await startUpstream(callingModel);
    const out = join(folder, "failed.json");
    const program = `${programOf([ask()])} process.exitCode = 7;`;
    const options = ["record", "-o", out, "--upstream", `openai=${upstream.url}`];
    const failed = await run(...options, "--audit", "--", process.execPath, "-e", program);
    expect([failed.code, failed.output]).toEqual([7, expect.stringContaining("not certified from traffic")]);
    const refused = await run(...options, "--overwrite", "--level", "core", "--", process.execPath, "-e", program);
    expect([refused.code, refused.output]).toEqual([2, expect.stringContaining("add --audit")]);
    const mixed = await run(
      ...options,
      "--overwrite",
      "--audit",
      "--reporter",
      "json",
      "--",
      process.execPath,
      "-e",
      "",
    );
    expect([mixed.code, mixed.output]).toEqual([2, expect.stringContaining("--reporter json=<file>")]);
  },
);

test("records at the host to which a variable of the program leads, and says so", { timeout }, async () => {
  await using upstream = await startUpstream(answer);
  const out = join(folder, "gateway.json");
  const program = `await (await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: "{}" })).text();`;
  const child = spawn(process.execPath, [main, "record", "-o", out, "--", process.execPath, "-e", program], {
    env: { ...process.env, OPENAI_BASE_URL: `${upstream.url}/llm/v1` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  expect(await new Promise((resolve) => child.on("close", resolve)), output).toBe(0);
  expect(output).toMatch(/^openai is at 127\.0\.0\.1:\d+\/llm, as OPENAI_BASE_URL says$/m);
  const { exchanges } = await readFixture(out);
  expect(exchanges.map(({ request }) => request?.path)).toEqual(["/v1/chat/completions"]);
});
