// Measures the replay server beside a bare one and beside aimock, in one run: `npm run bench:replay [-- --quick]`

import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { lastRequests } from "./following.ts";
import { firstBytes, load } from "./load.ts";
import { requestBody, subjects } from "./scenario.ts";
import type { Role, Subject } from "./scenario.ts";

/** What a server has cost since it started. */
interface Cost {
  cpuMs: number;
  heapBytes: number;
}

interface Served {
  url: string;
  cost(): Promise<Cost>;
  stop(): void;
}

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const rounds = options.quick ? 1 : 5;
const perRound = options.quick ? 200 : 4000;
const connections = 16;

async function start(role: Role): Promise<Served> {
  const child = fork(fileURLToPath(new URL("./served.ts", import.meta.url)), { execArgv: ["--expose-gc"] });
  const nextReply = () =>
    new Promise<unknown>((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`${JSON.stringify(role)} ended with ${code}`)));
    });
  const answer = nextReply();
  child.send(role);
  const url = String(await answer);
  const cost = () => {
    const reply = nextReply() as Promise<Cost>;
    child.send("cost");
    return reply;
  };
  return { url, cost, stop: () => void child.kill() };
}

/** Requests per second of each subject, once for each round; every round begins with another one. */
async function throughput(messages: number): Promise<Map<Subject, number[]>> {
  const served = new Map<Subject, Served>();
  const rates = new Map<Subject, number[]>(subjects.map((subject) => [subject, []]));
  const body = requestBody(messages);
  try {
    for (const subject of subjects) {
      const server = await start({ serve: subject, messages });
      served.set(subject, server);
      await load(server.url, body, perRound, connections);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (let place = 0; place < subjects.length; place += 1) {
        const subject = subjects[(round + place) % subjects.length]!;
        rates.get(subject)!.push(perRound / (await load(served.get(subject)!.url, body, perRound, connections)));
      }
    }
  } finally {
    for (const server of served.values()) server.stop();
  }
  return rates;
}

/** How much longer a request takes with the rules, where each continues the one before. */
function rulesBesideReading(calls: number): { middle: number; text: string } {
  for (const rules of [true, false]) lastRequests(calls, rules);
  const ratios = Array.from({ length: rounds }, () => lastRequests(calls, true) / lastRequests(calls, false));
  return middleOf(ratios);
}

/** How the heap grows over many requests, in bytes for each. */
async function growth(requests: number): Promise<number> {
  const server = await start({ serve: "ours, rules on", messages: 1 });
  try {
    const body = requestBody(1);
    await load(server.url, body, 2000, connections);
    const before = await server.cost();
    await load(server.url, body, requests, connections);
    const after = await server.cost();
    return (after.heapBytes - before.heapBytes) / requests;
  } finally {
    server.stop();
  }
}

/** How much later the first byte comes through a recorder, in milliseconds: the medians of turns that follow one another. */
async function recordingDelay(count: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "agent-loop-bench-"));
  const direct = await start({ serve: "bare", messages: 1 });
  const recorded = await start({ record: direct.url, log: join(folder, "f.journal") });
  try {
    const body = requestBody(20);
    const delays: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const through = median(await firstBytes(recorded.url, body, count));
      delays.push(through - median(await firstBytes(direct.url, body, count)));
    }
    return median(delays);
  } finally {
    recorded.stop();
    direct.stop();
    rmSync(folder, { recursive: true });
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[numbers.length >> 1]!;
}

/** The ratios of two subjects round by round: the median, and from where to where. */
function ratio(rates: Map<Subject, number[]>, one: Subject, other: Subject): { middle: number; text: string } {
  const ratios = rates.get(one)!.map((rate, round) => rate / rates.get(other)![round]!);
  return middleOf(ratios);
}

function middleOf(ratios: readonly number[]): { middle: number; text: string } {
  const middle = median(ratios);
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return { middle, text: `${middle.toFixed(2)} (${spread})` };
}

let missed = 0;

function judge(what: string, value: string, holds: boolean): void {
  if (!holds && !options.quick) missed += 1;
  console.log(`${holds ? "ok    " : "MISSED"} ${what.padEnd(62)} ${value}`);
}

const short = await throughput(1);
const toBare = ratio(short, "ours, rules on", "bare");
const withRules = ratio(short, "ours, rules on", "aimock");
const without = ratio(short, "ours, rules off", "aimock");
judge("requests per second, rules on, at least 0.6 × the bare server", toBare.text, toBare.middle >= 0.6);
judge("requests per second, rules off, at least 2.5 × aimock", without.text, without.middle >= 2.5);
judge("requests per second, rules on, at least 1.5 × aimock", withRules.text, withRules.middle >= 1.5);
const long = ratio(await throughput(400), "ours, rules on", "bare");
judge("the same with 400 messages: no less than 0.6 × the bare server", long.text, long.middle >= 0.6);
const growing = rulesBesideReading(options.quick ? 20 : 200);
judge("rules on, at 400 messages that grew: at most 3 × rules off", growing.text, growing.middle <= 3);
const perRequest = await growth(options.quick ? 2000 : 100_000);
judge("heap for each request, in bytes: less than 4", perRequest.toFixed(1), perRequest < 4);
const delay = await recordingDelay(options.quick ? 20 : 200);
judge("what recording adds to the first byte, in ms: less than 2", delay.toFixed(2), delay < 2);
process.exitCode = missed > 0 ? 1 : 0;
