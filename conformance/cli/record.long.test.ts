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

test("writes over nothing unless it is asked to, and for its owner only", { timeout }, async () => {
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
});

test("with --redact leaves out what it cannot replace, says so, and goes on", { timeout }, async () => {
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

test("a program that cannot be started leaves no log behind", { timeout }, async () => {
  const out = join(folder, "none.json");
  const { code } = await run("record", "-o", out, "--", "no-such-program-anywhere");
  expect([code, existsSync(`${out}.journal`), existsSync(out)]).toEqual([2, false, false]);
});
