// A process that is killed at every transition of a run: what it had written is enough to go on, and nothing is done twice.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { afterAll, beforeAll, expect, it } from "vitest";

import { liveOn, startsFile, withStore, type Death, type Lived, type StoreKind } from "./testing/written-run.ts";
import type { Message, ToolResultMessage } from "./types.ts";

const program = fileURLToPath(new URL("testing/written-run.ts", import.meta.url));
const atOnce = pLimit(3);
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "killed-"))));
afterAll(() => rm(folder, { recursive: true }));

/** Has a process die there, and goes on in this one. The calls that were answered `interrupted`, and how often each was started. */
async function diesAndGoesOn(kind: StoreKind, death: Death, straight: Lived): Promise<string[]> {
  const where = await mkdtemp(join(folder, "run-"));
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled"), NODE_NO_WARNINGS: "1" };
  const child = spawn(process.execPath, [program, kind, where, JSON.stringify(death)], { stdio: "inherit", env });
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  const { session, result } = await withStore(kind, where, (store) => liveOn(store, where));
  expect(result).toMatchObject({ status: "completed", turns: straight.result.turns });
  const starts = (await readFile(startsFile(where), "utf8")).trim().split("\n");
  const twice = starts.filter((id, i) => starts.indexOf(id) !== i);
  expect(twice.filter((id) => !id.startsWith("look"))).toEqual([]);
  const interrupted = session.messages.filter(isInterrupted).map(({ id }) => id);
  expect(session.messages.map((one, i) => (isInterrupted(one) ? straight.session.messages[i] : one))).toEqual(
    straight.session.messages,
  );
  return interrupted;
}

function isInterrupted(message: Message): message is ToolResultMessage {
  return message.type === "tool_result" && message.outcome === "interrupted";
}

async function uninterrupted(kind: StoreKind): Promise<Lived> {
  const where = await mkdtemp(join(folder, "straight-"));
  const lived = await withStore(kind, where, (store) => liveOn(store, where));
  expect(lived.result).toMatchObject({ status: "completed", turns: 12, tool_calls: 22 });
  expect(lived.session.messages.some(isInterrupted)).toBe(false);
  return lived;
}

it(
  "ends as if it had not been killed, whichever record was the last [JOURNAL-6 JOURNAL-7]",
  { timeout: 60_000 },
  async () => {
    const straight = await uninterrupted("jsonl");
    expect(straight.appends).toBe(1 + 11 * 7 + 3 + 3); // begin, each turn, each approval, the last turn
    const deaths = Array.from({ length: straight.appends }, (_, i) => ({ append: i + 1 }));
    const came = await Promise.all(deaths.map((death) => atOnce(() => diesAndGoesOn("jsonl", death, straight))));
    // Written as started, and killed before it was: nobody can know that it was not.
    const lost = came.flat();
    expect(lost.every((id) => /^(write|pay)_/.test(id))).toBe(true);
    expect(new Set(lost).size).toBe(11);
  },
);

it(
  "answers what was running `interrupted`, unless it may run twice [JOURNAL-8 JOURNAL-9]",
  { timeout: 60_000 },
  async () => {
    const straight = await uninterrupted("jsonl");
    const calls = ["look_1", "write_1", "pay_3", "look_3", "look_11", "write_11"];
    const came = await Promise.all(calls.map((tool) => atOnce(() => diesAndGoesOn("jsonl", { tool }, straight))));
    for (const [i, id] of calls.entries()) {
      expect(came[i]!.includes(id)).toBe(!id.startsWith("look"));
    }
  },
);

it("does so with a database as well", { timeout: 60_000 }, async () => {
  const straight = await uninterrupted("sqlite");
  const deaths: Death[] = [1, 4, 17, straight.appends].map((append) => ({ append }));
  deaths.push({ tool: "pay_3" }, { tool: "look_4" });
  const came = await Promise.all(deaths.map((death) => atOnce(() => diesAndGoesOn("sqlite", death, straight))));
  expect(came.at(-2)).toContain("pay_3");
  expect(came.at(-1)).not.toContain("look_4");
});
