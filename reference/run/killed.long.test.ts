// A process that is killed at every transition of a run: what it had written is enough to go on, and nothing is done twice.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { afterAll, beforeAll, expect, it } from "vitest";

import {
  liveOn,
  startsFile,
  withStore,
  type Death,
  type Doomed,
  type Lived,
  type StoreKind,
} from "../testing/written-run.ts";
import type { Message, ToolResultMessage } from "../../schemas/types.ts";

const program = fileURLToPath(new URL("../testing/written-run.ts", import.meta.url));
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "killed-"))));
afterAll(() => rm(folder, { recursive: true }));

/** Has processes die there, so many runs in each, and goes on with every run in this one. What was lost, run by run. */
async function dieAndGoOn(kind: StoreKind, deaths: Death[], straight: Lived): Promise<string[][]> {
  const doomed = await Promise.all(
    deaths.map(async (death) => ({ folder: await mkdtemp(join(folder, "run-")), death })),
  );
  const each = Math.ceil(doomed.length / 4);
  const groups = [0, 1, 2, 3].map((n) => doomed.slice(n * each, (n + 1) * each)).filter(({ length }) => length > 0);
  const atOnce = pLimit(2);
  await Promise.all(groups.map((group) => atOnce(() => killed(kind, group))));
  return Promise.all(doomed.map((one) => goesOn(kind, one, straight)));
}

async function killed(kind: StoreKind, doomed: Doomed[]): Promise<void> {
  const child = spawn(process.execPath, [program, kind, JSON.stringify(doomed)], { stdio: "inherit" });
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
}

/** The calls that were answered `interrupted`. */
async function goesOn(kind: StoreKind, { folder: where, death }: Doomed, straight: Lived): Promise<string[]> {
  const before = await startsIn(where);
  const { session, result } = await withStore(kind, where, (store) => liveOn(store, where));
  expect(result).toMatchObject({ status: "completed", turns: straight.result.turns });
  const starts = await startsIn(where);
  expect(starts.slice(0, before.length)).toEqual(before);
  const twice = starts.filter((id, i) => starts.indexOf(id) !== i);
  expect(twice.filter((id) => !id.startsWith("look"))).toEqual([]);
  expect(twice.length, JSON.stringify(death)).toBeLessThanOrEqual(1);
  const { messages } = straight.session;
  expect(session.messages.map((one, i) => (isInterrupted(one) ? messages[i] : one))).toEqual(messages);
  return session.messages.filter(isInterrupted).map(({ id }) => id);
}

/** The calls whose tools were started, in that order. */
async function startsIn(where: string): Promise<string[]> {
  const text = await readFile(startsFile(where), "utf8").catch(() => "");
  return text.split("\n").filter(Boolean);
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

it("ends as if it had not been killed, whichever record was the last [JOURNAL-6 JOURNAL-7]", async () => {
  const straight = await uninterrupted("jsonl");
  expect(straight.appends).toBe(1 + 11 * 4 + 9); // begin, each turn of two calls, and three approvals with the last turn
  const deaths = Array.from({ length: straight.appends }, (_, i) => ({ append: i + 1 }));
  const actual = await dieAndGoOn("jsonl", deaths, straight);
  // Written as started, and killed before it was: nobody can know that it was not.
  const lost = actual.flat();
  expect(lost.every((id) => /^(write|pay)_/.test(id))).toBe(true);
  expect(new Set(lost).size).toBe(11);
});

it("answers what was running `interrupted`, unless it may run twice [JOURNAL-8 JOURNAL-9]", async () => {
  const straight = await uninterrupted("jsonl");
  const calls = straight.session.messages.flatMap((one) => (one.type === "tool_call" ? [one.id] : []));
  const actual = await dieAndGoOn(
    "jsonl",
    calls.map((tool) => ({ tool })),
    straight,
  );
  for (const [i, id] of calls.entries()) {
    expect(actual[i]!.includes(id)).toBe(!id.startsWith("look"));
  }
});

it("does so with a database as well", async () => {
  const straight = await uninterrupted("sqlite");
  const deaths: Death[] = [1, 4, 17, straight.appends].map((append) => ({ append }));
  deaths.push({ tool: "pay_3" }, { tool: "look_4" });
  const actual = await dieAndGoOn("sqlite", deaths, straight);
  expect(actual.at(-2)).toContain("pay_3");
  expect(actual.at(-1)).not.toContain("look_4");
});
