// That recording holds what it promises under force: killed at any moment, and with a stream that is larger than its memory.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { Fixture } from "../../../schemas/types.ts";
import { recordingLogOf, recover } from "./recording-log.ts";
import { isWhole } from "../../dev/whole.ts";
import { startUpstream } from "../testing/upstream.ts";

const main = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-record-"));
afterAll(() => rmSync(folder, { recursive: true }));

const kills = isWhole ? 25 : 10;
const megabytes = 80;
/** A small heap, which is collected at once: what waits for its collector would hide what is kept for good. */
const collectsEarly = ["--max-old-space-size=64", "--max-semi-space-size=2"];

/** Starts `record` with a program; `onLine` hears what the program prints. */
function start(
  out: string,
  program: string,
  upstream: string,
  onLine: (line: string) => void,
  more: readonly string[] = [],
  flags: readonly string[] = [],
) {
  const own = ["record", "--out", out, "--upstream", `openai=${upstream}`, ...more];
  const options = [...own, "--", process.execPath, "-e", program];
  const child = spawn(process.execPath, [...flags, main, ...options], { stdio: ["ignore", "pipe", "ignore"] });
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop()!;
    lines.forEach(onLine);
  });
  return { child, ended: new Promise((resolve) => child.on("close", resolve)) };
}

test(
  `a recorder that is killed ${kills} times, at any moment, has every exchange that the program saw whole [RECORD-2]`,
  { timeout: 300_000 },
  async () => {
    await using upstream = await startUpstream(async ({ body }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let n = 0; n < 5; n += 1) response.write(`data: ${body.toString()}\n\n`);
      response.end();
    });
    const program = `
    for (let n = 1; ; n++) {
      const answer = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: JSON.stringify({ n }) });
      await answer.text();
      console.log(n);
    }`;
    const counts: number[] = [];
    for (let round = 0; round < kills; round += 1) {
      const out = join(folder, `${round}.json`);
      let seen = 0;
      // Rounds differ in how many exchanges they wait for, and in how far into the next one they kill.
      const wanted = 1 + (round % 7);
      const { child, ended } = start(out, program, upstream.url, (line) => {
        seen = Number(line);
        if (seen >= wanted) setTimeout(() => child.kill("SIGKILL"), round % 5);
      });
      await ended;
      const fixture = recover(recordingLogOf(out))!;
      const numbers = fixture.exchanges.map(({ request }) => (request!.body as { n: number }).n);
      expect(numbers.slice(0, seen)).toEqual(Array.from({ length: seen }, (_, at) => at + 1));
      counts.push(numbers.length);
    }
    expect(new Set(counts).size).toBeGreaterThan(3);
  },
);

test.each([
  ["with --redact", ["--redact"]],
  ["without", []],
])(
  "%s, a recorder that is killed in the middle of a secret has nothing of it in its log",
  { timeout: 120_000 },
  async (_, more) => {
    /** A made-up key, put together so that no scanner takes it for a real one. */
    const key = `sk-ant-api03-${"a1B2".repeat(20)}`;
    const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
    await using upstream = await startUpstream((_received, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const piece of [key.slice(0, 30), key.slice(30, 60), "z ".repeat(200_000)]) response.write(event(piece));
    });
    const program = `
    const ask = (body) => fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body });
    const { body } = await ask(JSON.stringify({ key: ${JSON.stringify(key)} }));
    let bytes = 0;
    for await (const chunk of body) if ((bytes += chunk.length) > 400_000) console.log("most of it");`;
    const out = join(folder, `secret${more.length}.json`);
    const { child, ended } = start(out, program, upstream.url, () => child.kill("SIGKILL"), more);
    await ended;
    // Where the first secret ended the recording, the log went with it.
    const log = existsSync(recordingLogOf(out)) ? readFileSync(recordingLogOf(out), "utf8") : "";
    expect([log !== "", existsSync(out)]).toEqual([more.length > 0, false]);
    const chunks = log.split("\n").map((line) => /"base64":"([^"]*)"/.exec(line)?.[1] ?? "");
    const decoded = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, "base64"))).toString("latin1");
    for (const part of [key.slice(0, 30), key.slice(30, 60)]) expect(log + decoded).not.toContain(part);
  },
);

test("what a killed recorder left becomes a fixture when it is asked to", async () => {
  const out = join(folder, "left.json");
  writeFileSync(recordingLogOf(out), readFileSync(recordingLogOf(join(folder, "0.json"))));
  const child = spawn(process.execPath, [main, "record", "--recover", "--out", out], { stdio: "ignore" });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  expect((JSON.parse(readFileSync(out, "utf8")) as Fixture).exchanges.length).toBeGreaterThan(0);
  expect(existsSync(recordingLogOf(out))).toBe(false);
});

test.runIf(isWhole)(
  `${megabytes} MB pass through in the memory that a few of them need`,
  { timeout: 300_000 },
  async () => {
    const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "word ".repeat(40) } }] })}\n\n`;
    const megabyte = Buffer.alloc(1024 * 1024, event);
    await using upstream = await startUpstream(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let n = 0; n < megabytes; n += 1)
        if (!response.write(megabyte)) await new Promise((resolve) => response.once("drain", resolve));
      response.end();
    });
    const program = `
    const answer = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: "{}" });
    let bytes = 0;
    for await (const chunk of answer.body) bytes += chunk.length;
    console.log(bytes);
    const status = process.getBuiltinModule("node:fs").readFileSync("/proc/" + process.ppid + "/status", "utf8");
    console.log("peak " + /VmHWM:\\s+(\\d+)/.exec(status)[1]);`;
    const lines: string[] = [];
    const onLine = (line: string) => {
      lines.push(line);
      // What is measured is how it passes; to make a fixture of it takes memory, and is another matter.
      if (line.startsWith("peak")) child.kill("SIGKILL");
    };
    const { child, ended } = start(join(folder, "large.json"), program, upstream.url, onLine, [], collectsEarly);
    await ended;
    expect(Number(lines[0])).toBe(megabytes * megabyte.length);
    // The process itself takes about 120 MB, however much passes (measured: 60 and 160 MB). A recorder that kept half of what
    // passes would need 40 MB more, and one that kept it as text would run out of its heap.
    expect(Number(lines[1]!.slice("peak ".length))).toBeLessThan(140 * 1024);
  },
);
