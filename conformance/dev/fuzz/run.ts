// Reads damaged streams with an adapter, alone and in the loop, and says what of its promises is broken.

import { agentLoop, defineTool } from "../../../reference/index.ts";
import type { StreamEvent } from "../../../reference/core/ports.ts";
import { providers } from "../../../reference/providers/registry.ts";
import type { Send } from "../../../reference/providers/shared/about-provider.ts";
import { checkSession } from "../../../reference/state/check-session.ts";
import type { LoopEvent, Message, ModelResponse, Session } from "../../../schemas/types.ts";
import type { ProviderName } from "../../kit/wire/codec.ts";
import { checkGrammar } from "../../kit/checks/event-grammar.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { describeProblems, validate } from "../../kit/base/validate.ts";
import { damage } from "./mutations.ts";
import { type Random, randomFrom } from "./random.ts";
import { last, streamOf, streams } from "./streams.ts";
import { warmUp, within } from "./within.ts";

export const providerNames = Object.keys(providers) as ProviderName[];

/** One promise that was broken, by the run that broke it: `seed` and `run` find it again. */
export interface Found {
  provider: ProviderName;
  run: number;
  /** What was done to the stream. */
  done: string[];
  problem: string;
  stream: string;
}

/** What a fuzz of one provider came to: how many runs ended how, and what was found. */
export interface FuzzReport {
  endings: Record<string, number>;
  found: Found[];
}

type Report = (problem: string) => void;

/** How many turns of the event loop a run may take in which so much is read. */
const turnsFor = (reads: number) => (reads + 10) * 50;

/** @param seed gives the same runs again; run n does not depend on the runs before it */
export async function fuzz(
  provider: ProviderName,
  options: { runs: number; seed: number; from?: number; recordings?: string },
): Promise<FuzzReport> {
  const { runs, seed, from = 0, recordings } = options;
  const sources = streams(provider, recordings);
  await warmUp();
  const report: FuzzReport = { endings: {}, found: [] };
  for (let run = from; run < from + runs; run++) {
    const random = randomFrom(Math.imul(seed, 0x9e3779b1) + run);
    const { reads, done } = damage(random.pick(sources), random.pick(sources), random);
    const type = random.pick([
      "text/event-stream",
      "text/event-stream",
      "text/event-stream; charset=utf-8",
      "text/plain",
      "",
    ]);
    const problems: string[] = [];
    const ending = await readAndRun(provider, reads, type, random, (problem) => problems.push(problem)).catch(
      (thrown: unknown) => problems.push(`threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`),
    );
    report.endings[ending] = (report.endings[ending] ?? 0) + 1;
    const stream = Buffer.concat(reads).toString();
    for (const problem of problems) report.found.push({ provider, run, done, problem, stream });
  }
  return report;
}

async function readAndRun(
  name: ProviderName,
  reads: Uint8Array[],
  type: string,
  random: Random,
  report: Report,
): Promise<string> {
  const response = await within(turnsFor(reads.length), readAlone(name, reads, type, report));
  if (!response) {
    report("the adapter did not end");
    return "hang";
  }
  const again = await within(
    turnsFor(1),
    readAlone(name, [Buffer.concat(reads)], type, () => undefined),
  );
  if (JSON.stringify(again) !== JSON.stringify(response)) report("another cut of the bytes gives another response");
  if (!(await within(turnsFor(reads.length + 1), runLoop(name, reads, type, response, random, report)))) {
    report("the loop did not end");
  }
  return response.error ? `${response.stop_reason}/${response.error.kind}` : response.stop_reason;
}

function answer(reads: Uint8Array[], type: string): Response {
  const rest = [...reads];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = rest.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
  return new Response(body, { headers: type === "" ? {} : { "content-type": type } });
}

async function readAlone(
  name: ProviderName,
  reads: Uint8Array[],
  type: string,
  report: Report,
): Promise<ModelResponse> {
  const send: Send = async () => answer(reads, type);
  const events: StreamEvent[] = [];
  const call = {
    signal: new AbortController().signal,
    onStream: (event: StreamEvent) => void events.push(structuredClone(event)),
    warn() {},
  };
  const request = { messages: [{ role: "user" as const, content: "Hello" }], tools: [] };
  const response = await providers[name].createOver(send, { model: "m" }).invokeModel(request, call);
  checkResponse(response, report);
  // A stream of openai-responses says everything up to three times; where damage made it differ, the last one counts.
  checkStream(events, response.messages, report, name !== "openai-responses");
  return response;
}

/** Valid but for ids that the provider did not give, which the loop makes; and an error exactly where it failed. */
function checkResponse(response: ModelResponse, report: Report): void {
  const messages = response.messages.map((message) =>
    message.type === "tool_call" && message.id === "" ? { ...message, id: "made" } : message,
  );
  const problems = validate("ModelResponse", JSON.parse(JSON.stringify({ ...response, messages })));
  if (problems.length > 0) report(`not a valid response: ${describeProblems(problems)}`);
  const failed = response.stop_reason === "error" || response.stop_reason === "interrupted";
  if (failed !== (response.error !== undefined))
    report(`stop reason ${response.stop_reason} with ${response.error?.kind}`);
  if (response.messages.some((message) => message.role === "assistant" && message.content === ""))
    report("an empty text");
}

/** Each message starts once, in order, ends once as the response has it, and its pieces are its text. */
function checkStream(events: StreamEvent[], messages: Message[], report: Report, saysOnce: boolean): void {
  if (events.length === 0) return; // it was not read as a stream
  const open = new Map<number, string>();
  const ended: Message[] = [];
  let started = 0;
  for (const event of events) {
    if (event.type === "message_start") {
      if (event.index !== started) report(`message_start ${event.index} where ${started} follows`);
      started += 1;
      open.set(event.index, "");
    } else if (!open.has(event.index)) report(`${event.type} ${event.index} of a message that is not open`);
    else if (event.type === "message_delta") open.set(event.index, open.get(event.index)! + event.delta);
    else {
      const text = open.get(event.index)!;
      open.delete(event.index);
      ended.push(event.message);
      if (saysOnce && "content" in event.message && event.message.content !== text) {
        report(`the pieces ${JSON.stringify(text)} are not ${JSON.stringify(event.message.content)}`);
      }
    }
  }
  if (open.size > 0) report(`${open.size} messages are not ended`);
  const [a, b] = [ended, messages].map((list) => JSON.stringify(list.map(withoutItsEnd).toSorted()));
  if (saysOnce && a !== b) report(`the stream ended ${a}, the response has ${b}`);
}

/** The container of a response, and the text at which it stopped, are known at its end, after its last message was emitted. */
function withoutItsEnd(message: Message): string {
  const { opaque, ...rest } = message as { opaque?: Record<string, unknown> };
  const { container: _container, stop_sequence: _stop, ...kept } = opaque ?? {};
  return JSON.stringify(Object.keys(kept).length > 2 ? { ...rest, opaque: kept } : rest);
}

/** Runs a session whose first answer is damaged and whose other answers are not. True when it has ended. */
async function runLoop(
  name: ProviderName,
  reads: Uint8Array[],
  type: string,
  response: ModelResponse,
  random: Random,
  report: Report,
): Promise<true> {
  let modelCalls = 0;
  const send: Send = async ({ body }) => {
    modelCalls += 1;
    checkRequest(name, body, report);
    const whole = new TextEncoder().encode(streamOf(name, last));
    return modelCalls === 1 ? answer(reads, type) : answer([whole], "text/event-stream");
  };
  const names = new Set(response.messages.flatMap((message) => (message.type === "tool_call" ? [message.name] : [])));
  const tools = [...names]
    .filter((tool) => tool !== "" && random.below(4) > 0)
    .map((tool) => defineTool({ name: tool, input_schema: { type: "object" }, execute: () => "ok" }));
  const session: Session = { spec_version: "1.0", id: "s", messages: [{ role: "user", content: "Hello" }] };
  const run = agentLoop({
    clock: { now: () => 0, sleep: async () => undefined }, // no wait takes time
    provider: providers[name].createOver(send, { model: "m" }),
    tools,
    session,
    options: { max_turns: 4 },
  });
  const events: LoopEvent[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  const after = await run.session;
  for (const { message } of checkGrammar(events)) report(`events: ${message}`);
  for (const { requirement, message } of checkSession(after)) report(`session: ${requirement} ${message}`);
  const problems = validate("Session", JSON.parse(JSON.stringify(after)));
  if (problems.length > 0) report(`session: ${describeProblems(problems)}`);
  if (result.status === "error" && !result.error) report("the run failed without an error");
  if (result.error?.kind === "internal") report(`internal: ${result.error.message}`);
  return true;
}

/** Rules that the answer itself can break: what a model said in fields and parts of its own goes back as it came. */
const ofTheAnswer = /\/(unknown-block-fields|parts|part-fields|item-fields|item-id|item-type|reasoning-shape)$/;

/** What follows a damaged answer must still be a request that the provider takes. */
function checkRequest(name: ProviderName, body: unknown, report: Report): void {
  const { checkRequest, traffic } = codecs[name];
  const headers = { "content-type": "application/json", ...traffic.keyHeader("k"), ...traffic.headers };
  for (const { rule, message } of checkRequest(JSON.parse(JSON.stringify(body)), headers)) {
    if (!ofTheAnswer.test(rule)) report(`request: ${rule}: ${message}`);
  }
}
