// With real sockets and real timers: whatever a cancel hits, the connection is closed, no timer ticks on, and the next run works.

import Anthropic from "@anthropic-ai/sdk";
import { getEventListeners } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as macrotask } from "node:timers/promises";
import OpenAI from "openai";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { agentLoop, type Run } from "./run.ts";
import type { Provider } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import { anthropicMessages } from "../providers/anthropic-messages/index.ts";
import { openaiChat } from "../providers/openai-chat/index.ts";
import { openaiResponses } from "../providers/openai-responses/index.ts";
import { combinations, stillHeld } from "../testing/collect-garbage.ts";
import { ofPairing } from "../testing/invariants.ts";
import { warmUp } from "../testing/live.ts";
import { refusedBy } from "../testing/provider-rules.ts";
import { firstTurn } from "../testing/wire-answers.ts";
import type { LoopEvent } from "../../schemas/types.ts";

type Name = keyof typeof firstTurn;
const names = Object.keys(firstTurn) as Name[];
const session = initSession({ id: "s", user: "Go." });

/** Somebody who can be waited for. */
function latch<T = void>() {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { open, opened };
}

beforeAll(warmUp);

let server: Server;
let answers: (response: ServerResponse) => void;
let sockets: { socket: Socket; closed: Promise<void> }[];

beforeEach(async () => {
  sockets = [];
  server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answers(response));
  });
  server.on("connection", (socket) => {
    sockets.push({ socket, closed: new Promise((resolve) => socket.once("close", () => resolve())) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The adapter, through its SDK, with a latch that opens when the headers of an answer have come. */
function adapter(name: Name, transport: "sse" | "json") {
  const headers = latch();
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const watched: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    headers.open();
    return response;
  };
  const settings = { model: "m", transport };
  const openai = () => new OpenAI({ apiKey: "k", baseURL: `${base}/v1`, fetch: watched });
  const providers: Record<Name, () => Provider> = {
    "anthropic-messages": () =>
      anthropicMessages({ ...settings, client: new Anthropic({ apiKey: "k", baseURL: base, fetch: watched }) }),
    "openai-chat": () => openaiChat({ ...settings, client: openai() }),
    "openai-responses": () => openaiResponses({ ...settings, client: openai() }),
  };
  return { provider: providers[name](), headers: headers.opened };
}

/** What keeps the process alive, as far as a run could be the cause. */
function busy(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((type) => /^(TCPSocketWrap|TCPConnectWrap|GetAddrInfo|Timeout|HTTP)/.test(type));
}

const timers = () => busy().filter((type) => type === "Timeout").length;

/** Looks again, for a few turns of the event loop: what was closed takes one to be gone. */
async function becomes(expected: number, count = () => busy().length): Promise<void> {
  for (let turns = 0; turns < 50 && count() > expected; turns += 1) await macrotask();
  expect(count(), busy().join()).toBeLessThanOrEqual(expected);
}

const write = (type: string, pieces: readonly string[]) => (response: ServerResponse) => {
  response.writeHead(200, { "content-type": type });
  response.flushHeaders();
  for (const piece of pieces) response.write(piece);
};

/** Cancels a run at the first event that is the one. */
async function cancelAt(run: Run, isIt: (event: LoopEvent) => boolean): Promise<void> {
  for await (const event of run) if (isIt(event)) run.cancel();
}

async function expectBrokenOff(run: Run, before: number): Promise<void> {
  const { status, still_running } = await run.result;
  expect({ status, still_running }).toEqual({ status: "cancelled", still_running: undefined });
  await Promise.all(sockets.map(({ closed }) => closed));
  await becomes(before);
  const after = await run.session;
  expect(ofPairing(after)).toEqual([]);
  expect(refusedBy(after, [])).toEqual([]);
}

const hasArguments = ({ type, delta }: { type: string; delta?: unknown }) =>
  type === "message_delta" && typeof delta === "string" && delta.includes("{");

describe.each(names)("%s", (name) => {
  const pieces = firstTurn[name];
  const begin = (provider: Provider) => agentLoop({ session, provider, options: { max_retries: 0 } });

  it.each(["sse", "json"] as const)(
    "closes the connection to a server that does not answer (%s)",
    async (transport) => {
      const before = busy().length;
      const arrived = latch();
      answers = () => arrived.open();
      const run = begin(adapter(name, transport).provider);
      await arrived.opened;
      run.cancel();
      await expectBrokenOff(run, before);
      expect((await run.session).messages).toEqual(session.messages);
    },
  );

  it.each([
    ["sse", "text/event-stream", []],
    ["json", "application/json", []],
    ["json", "application/json", ['{"id": "half an an']],
  ] as const)("closes it after the headers (%s, %s, %j)", async (transport, type, written) => {
    const before = busy().length;
    answers = write(type, written);
    const { provider, headers } = adapter(name, transport);
    const run = begin(provider);
    await headers;
    run.cancel();
    await expectBrokenOff(run, before);
  });

  it("closes it in the middle of a text, and keeps what was said", async () => {
    const before = busy().length;
    answers = write("text/event-stream", pieces.slice(0, 1));
    const run = begin(adapter(name, "sse").provider);
    await cancelAt(run, ({ type }) => type === "message_delta");
    await expectBrokenOff(run, before);
    expect((await run.session).messages.at(-1)).toMatchObject({ content: "Let me look.", status: "incomplete" });
  });

  it("closes it between two pieces of the arguments of a call", async () => {
    const before = busy().length;
    answers = write("text/event-stream", pieces.slice(0, 2));
    const run = begin(adapter(name, "sse").provider);
    await cancelAt(run, hasArguments);
    await expectBrokenOff(run, before);
    expect((await run.session).messages.slice(-2)).toMatchObject([
      { name: "look", input: null, raw_input: '{"city": ', status: "incomplete" },
      { outcome: "interrupted", status: "incomplete" },
    ]);
  });

  it("lets the next run work after each of them", async () => {
    answers = write("text/event-stream", pieces.slice(0, 2));
    const { provider } = adapter(name, "sse");
    const broken = agentLoop({ session, provider });
    await cancelAt(broken, hasArguments);
    const onward = await broken.session;
    answers = (response) => {
      write("text/event-stream", pieces)(response);
      response.end();
    };
    const next = agentLoop({
      session: { ...onward, messages: [...onward.messages, { role: "user", content: "Again." }] },
      provider,
      tools: [{ name: "look", input_schema: { type: "object" }, execute: () => "seen" }],
      options: { max_turns: 1 },
    });
    expect(await next.result).toMatchObject({ status: "max_turns", tool_calls: 1 });
  });

  it("tells a tool that runs, and waits no longer than the tool", async () => {
    answers = (response) => {
      write("text/event-stream", pieces)(response);
      response.end();
    };
    const reported = latch<string>();
    const execute = (_input: never, { signal }: { signal: AbortSignal }) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reported.open("told");
          reject(new Error("stopped"));
        });
      });
    const before = timers();
    const run = agentLoop({
      session,
      provider: adapter(name, "sse").provider,
      tools: [{ name: "look", input_schema: { type: "object" }, timeout_ms: 600_000, execute }],
      options: { cancel_grace_ms: 600_000 },
    });
    await cancelAt(run, ({ type }) => type === "tool_start");
    expect((await run.result).status).toBe("cancelled");
    expect(await reported.opened).toBe("told");
    await becomes(before, timers); // the answer was whole: its connection may be kept for the next request
  });

  it("leaves no timer behind when it is cancelled before another try", async () => {
    const before = timers();
    answers = (response) => response.writeHead(429, { "retry-after": "30" }).end("{}");
    const run = agentLoop({ session, provider: adapter(name, "sse").provider });
    await cancelAt(run, ({ type }) => type === "retry");
    expect((await run.result).status).toBe("cancelled");
    await becomes(before, timers);
  });

  it("leaves nothing on the signal of its caller, however many runs that outlives", async () => {
    answers = (response) => {
      write("text/event-stream", pieces)(response);
      response.end();
    };
    const { signal } = new AbortController();
    const { combined, restore } = combinations();
    const { provider } = adapter(name, "sse");
    for (let runs = 0; runs < 3; runs += 1) {
      expect(await agentLoop({ session, provider, signal, options: { max_turns: 2 } }).result).toMatchObject({
        status: "max_turns",
      });
    }
    expect(combined.length).toBeGreaterThan(2);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    restore();
    expect(await stillHeld(combined)).toBe(0);
  });
});

describe("timers of tools", () => {
  const calling = (id: string): Provider => ({
    name: "scripted",
    invokeModel: async () => ({
      messages: [{ type: "tool_call", id, name: "quick", input: {} }],
      stop_reason: "tool_use",
    }),
  });

  it("end with their tools", async () => {
    const before = busy().length;
    const run = agentLoop({
      session,
      provider: calling("a"),
      tools: [{ name: "quick", input_schema: { type: "object" }, execute: () => "done" }],
      options: { tool_timeout_ms: 600_000, deadline_ms: 600_000, max_turns: 1 },
    });
    expect(await run.result).toMatchObject({ status: "max_turns" });
    await becomes(before);
  });
});
