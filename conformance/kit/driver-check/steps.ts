// The steps of `driver check`: what the kit says in each, and what a driver has to answer.

import type { InitializeResult, RunResponse, ToolExecuteParams } from "../../../schemas/types.ts";
import { Unexpected } from "./dialogue.ts";
import type { Dialogue, Message } from "./dialogue.ts";
import { protocolVersion, specVersion } from "../base/protocol.ts";
import { expectReports, expectResult, expectStatus } from "./expectations.ts";
import { describeExit } from "../driver/process.ts";
import { takesBarrier } from "../suite/variant.ts";

/** One step. */
export interface Step {
  name: string;
  /** The requirement that it is about. */
  requirement: string;
  /** Why it does not concern this driver, if it does not. */
  skip?(handshake: InitializeResult): string | undefined;
  /** @throws Unexpected */
  play(dialogue: Dialogue, handshake: InitializeResult): Promise<unknown>;
}

/** How long a driver may take to exit after its stdin is closed, in milliseconds. */
const endMs = 5000;
const lookUp = { name: "look_up", input_schema: { type: "object", properties: { word: { type: "string" } } } };
const call = { type: "tool_call", id: "call-1", name: "look_up", input: { word: "loop" } };
const usage = {
  input_tokens: 1,
  output_tokens: 1,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};
const answered = (messages: object[], stop_reason: string) => ({
  result: { messages, stop_reason, raw_stop_reason: stop_reason, model: "kit", usage },
});
const textResponse = (content: string) => answered([{ role: "assistant", content }], "end_turn");
const calls = answered([call], "tool_use");
const unlessDeclared = (feature: string) => (handshake: InitializeResult) =>
  handshake.features?.includes(feature) ? undefined : `it does not declare ${feature}`;

/** Shakes hands; every other step needs it. */
export async function shakeHands(dialogue: Dialogue): Promise<InitializeResult> {
  const id = dialogue.ask("initialize", { protocol: protocolVersion, spec: specVersion });
  return (await dialogue.result(id, "InitializeResult", "initialize", dialogue.startMs)) as InitializeResult;
}

/** Steps that need no run. */
export const beforeRuns: Step[] = [
  { name: "an unknown method is rejected", requirement: "DRIVER-18", play: refusesUnknownMethod },
  {
    name: "an unknown notification is ignored",
    requirement: "DRIVER-19",
    async play(dialogue) {
      dialogue.notify("kit/unknown-notification", {});
      await refusesUnknownMethod(dialogue);
    },
  },
];

/** Steps that run the loop, on the generic seam. The first is the least that a run can be. */
export const runs: Step[] = [
  {
    name: "a run: the model is asked, and its text ends the run",
    requirement: "DRIVER-4",
    async play(dialogue) {
      const { result, session } = await textRun(dialogue);
      expectStatus(result, "completed");
      const last = session?.messages.at(-1);
      if (session && (last?.role !== "assistant" || last.content !== "Hello."))
        throw new Unexpected('a session that ends with the assistant message "Hello."', JSON.stringify(last));
    },
  },
  {
    name: "the driver sends what it reports: the session, events, the result",
    requirement: "DRIVER-4",
    play: async (dialogue, handshake) => expectReports(handshake, await textRun(dialogue), dialogue),
  },
  {
    name: "a tool: the kit executes it, and the model gets the result",
    requirement: "DRIVER-6",
    async play(dialogue) {
      const started = start(dialogue);
      dialogue.answer(await modelCall(dialogue), calls);
      dialogue.answer(await toolCall(dialogue), { result: { output: "to repeat" } });
      const request = await modelCall(dialogue);
      expectResult(request, call.id, "the output of the tool", ({ output }) => output === "to repeat");
      dialogue.answer(request, textResponse("To repeat."));
      expectStatus((await ending(dialogue, started)).result, "completed");
    },
  },
  {
    name: "a tool that throws: the run continues, and the model gets the error",
    requirement: "DRIVER-7",
    async play(dialogue) {
      const started = start(dialogue);
      dialogue.answer(await modelCall(dialogue), calls);
      const error = { code: -32000, message: "no such word", data: { thrown: true } };
      dialogue.answer(await toolCall(dialogue), { error });
      const request = await modelCall(dialogue);
      expectResult(request, call.id, "is_error: true", ({ is_error }) => is_error === true);
      dialogue.answer(request, textResponse("I do not know it."));
      expectStatus((await ending(dialogue, started)).result, "completed");
    },
  },
  {
    name: "a model call that fails: the run ends with an error result",
    requirement: "DRIVER-8",
    async play(dialogue) {
      const started = start(dialogue);
      const data = { error: { kind: "authentication", message: "no such key" } };
      dialogue.answer(await modelCall(dialogue), { error: { code: -32000, message: "no such key", data } });
      expectStatus((await ending(dialogue, started)).result, "error");
    },
  },
  {
    name: "a run that cannot start: its agent does not exist",
    requirement: "DRIVER-5",
    async play(dialogue) {
      expectStatus((await ending(dialogue, start(dialogue, { agent: "nobody" }))).result, "error");
    },
  },
  {
    name: "a barrier while a tool runs",
    requirement: "DRIVER-9",
    skip: (handshake) => (takesBarrier(handshake) ? undefined : "it declares no feature that needs barriers"),
    play: (dialogue) => meanwhile(dialogue, {}, async (run) => await expectAnswer(dialogue, "barrier", { run })),
  },
  {
    name: "a barrier at the end of a run: the run is answered first",
    requirement: "DRIVER-28",
    skip: (handshake) => (takesBarrier(handshake) ? undefined : "it declares no feature that needs barriers"),
    play: endsBeforeBarrier,
  },
  {
    name: "the clock is moved while a tool runs",
    requirement: "DRIVER-4",
    skip: unlessDeclared("clock.virtual"),
    play: (dialogue) =>
      meanwhile(
        dialogue,
        { clock: "virtual" },
        async (run) => await expectAnswer(dialogue, "clock/advance", { run, ms: 10 }),
      ),
  },
  {
    name: "a resumed run goes on by the clock that resume names",
    requirement: "DRIVER-29",
    skip: unlessItResumesInTime,
    play: resumesOnTheClock,
  },
  {
    name: "a cancel while a tool runs",
    requirement: "CANCEL-1",
    skip: unlessDeclared("cancel"),
    async play(dialogue) {
      const started = start(dialogue);
      dialogue.answer(await modelCall(dialogue), calls);
      await toolCall(dialogue);
      dialogue.notify("cancel", { run: started.run });
      expectStatus((await ending(dialogue, started)).result, "cancelled");
    },
  },
];

/** The end of a driver after `shutdown`. */
export const afterRuns: Step[] = [
  {
    name: "shutdown is answered",
    requirement: "DRIVER-20",
    play: async (dialogue) => await expectAnswer(dialogue, "shutdown", {}),
  },
  { name: "the process ends with its stdin", requirement: "DRIVER-21", play: ends },
  {
    name: "no error ends the process",
    requirement: "DRIVER-35",
    async play({ exit }) {
      if (exit && exit.code !== 0)
        throw new Unexpected("the process to end with exit code 0", `it ${describeExit(exit)}`);
    },
  },
];

/** Steps for a process of its own. */
export const apart: Step[] = [
  {
    name: "another version of the protocol is answered with its own",
    requirement: "DRIVER-1",
    async play(dialogue) {
      const id = dialogue.ask("initialize", { protocol: protocolVersion + 1, spec: specVersion });
      const expected = `a result with "protocol":${protocolVersion}, or an error`;
      const { id: answeredId, result, error } = await dialogue.next(expected, dialogue.startMs);
      const { protocol } = (result ?? {}) as { protocol?: unknown };
      if (answeredId !== id || (!error && protocol !== protocolVersion))
        throw new Unexpected(expected, JSON.stringify(result ?? null));
    },
  },
  { name: "the process ends with its stdin, without a shutdown", requirement: "DRIVER-21", play: ends },
];

async function refusesUnknownMethod(dialogue: Dialogue): Promise<void> {
  const id = dialogue.ask("kit/unknown-method", {});
  const expected = `an answer to request ${id} with the error -32601`;
  const message = await dialogue.next(expected);
  if (message.id !== id || message.error?.code !== -32601) throw new Unexpected(expected, JSON.stringify(message));
}

async function ends(dialogue: Dialogue): Promise<void> {
  if (await dialogue.endsWithoutInput(endMs)) return;
  throw new Unexpected("the process to end when its stdin is closed", `it still ran ${endMs} ms later`);
}

interface Started {
  /** The id of the request. */
  id: number;
  /** The name of the run. */
  run: string;
}

/** Starts a run of an agent with one tool. */
function start(dialogue: Dialogue, others: object = {}): Started {
  const run = `r${dialogue.nextId}`;
  const messages = [{ role: "user", content: "What does loop mean?" }];
  const session = { spec_version: "1.0", id: `session-${run}`, messages };
  const agents = { main: { name: "main", tools: [lookUp] } };
  const id = dialogue.ask("run", { run, session, agents, agent: "main", model: { seam: "generic" }, ...others });
  return { id, run };
}

async function modelCall(dialogue: Dialogue): Promise<Message> {
  return await dialogue.request("model/invoke", "ModelInvokeParams");
}

async function toolCall(dialogue: Dialogue): Promise<Message> {
  const message = await dialogue.request("tool/execute", "ToolExecuteParams");
  const { id, name, input } = (message.params as ToolExecuteParams).call;
  const [left, right] = [call, { type: "tool_call", id, name, input }].map((each) => JSON.stringify(each));
  if (left === right) return message;
  throw new Unexpected(`the call ${left}`, right!);
}

async function expectAnswer(dialogue: Dialogue, method: string, params: object): Promise<void> {
  await dialogue.result(dialogue.ask(method, params), "Empty", method);
}

async function ending(dialogue: Dialogue, { id }: Started): Promise<RunResponse> {
  return (await dialogue.result(id, "RunResponse", "run")) as RunResponse;
}

/** The simplest run: a text. */
async function textRun(dialogue: Dialogue): Promise<RunResponse> {
  const started = start(dialogue);
  dialogue.answer(await modelCall(dialogue), textResponse("Hello."));
  return await ending(dialogue, started);
}

/** The barrier comes with the last answer that the run waits for; a second one comes when the run is over, and may be refused. */
async function endsBeforeBarrier(dialogue: Dialogue): Promise<void> {
  const started = start(dialogue);
  dialogue.answer(await modelCall(dialogue), textResponse("Hello."));
  const barrier = dialogue.ask("barrier", { run: started.run });
  const expected = "the answer to run, before that to barrier";
  const first = await dialogue.next(expected);
  if (first.id === barrier) {
    await dialogue.next("the answer to run");
    throw new Unexpected(expected, "the answer to barrier, while the run was ending");
  }
  if (first.id !== started.id) throw new Unexpected(expected, JSON.stringify(first));
  await expectAnyAnswer(dialogue, barrier);
  await expectAnyAnswer(dialogue, dialogue.ask("barrier", { run: started.run }));
}

async function expectAnyAnswer(dialogue: Dialogue, barrier: number): Promise<void> {
  const expected = "an answer to barrier, a result or an error";
  const message = await dialogue.next(expected);
  if (message.id !== barrier || "method" in message) throw new Unexpected(expected, JSON.stringify(message));
}

/** What it takes to see by which clock a resumed run goes on. */
function unlessItResumesInTime(handshake: InitializeResult): string | undefined {
  const undeclared = ["clock.virtual", "external_tools", "limits"].map((one) => unlessDeclared(one)(handshake));
  const why = undeclared.find((one) => one !== undefined);
  return why ?? (handshake.reports?.includes("result") === false ? "it reports no result" : undefined);
}

/** A run that may take some minutes waits for its caller, goes on, and is over when the clock has been moved by those minutes. */
async function resumesOnTheClock(dialogue: Dialogue): Promise<void> {
  const minutesMs = 300_000; // less than a model call may take by default
  const agents = { main: { name: "main", tools: [{ ...lookUp, external: true }] } };
  const started = start(dialogue, { clock: "virtual", agents, options: { deadline_ms: minutesMs } });
  dialogue.answer(await modelCall(dialogue), calls);
  const { result } = await ending(dialogue, started);
  expectStatus(result, "suspended");
  if (!result?.snapshot) throw new Unexpected("the snapshot of a suspended run in its result", JSON.stringify(result));
  const run = `${started.run}-resumed`;
  const decisions = [{ id: call.id, action: "respond", output: "to repeat" }];
  const again = { run, snapshot: result.snapshot, decisions, agents, model: { seam: "generic" } };
  const resumed = dialogue.ask("resume", { ...again, clock: "virtual", clock_ms: 0 });
  await modelCall(dialogue);
  const moved = dialogue.ask("clock/advance", { run, ms: minutesMs });
  const answers = new Map<unknown, Message>();
  while (!answers.has(resumed)) {
    const message = await dialogue.next("the end of the run, whose time is over, and the answer to clock/advance");
    if (message.id !== resumed && message.id !== moved)
      throw new Unexpected("the end of the run, whose time is over", JSON.stringify(message));
    answers.set(message.id, message);
  }
  if (!answers.has(moved)) await dialogue.result(moved, "Empty", "clock/advance");
  const { result: response, error } = answers.get(resumed)!;
  if (error) throw new Unexpected("the end of the run, whose time is over", JSON.stringify(error));
  expectStatus((response as RunResponse).result, "deadline");
}

/** A run in which something happens while its tool runs, and which ends well. */
async function meanwhile(dialogue: Dialogue, others: object, happens: (run: string) => Promise<void>): Promise<void> {
  const started = start(dialogue, others);
  dialogue.answer(await modelCall(dialogue), calls);
  const tool = await toolCall(dialogue);
  await happens(started.run);
  dialogue.answer(tool, { result: { output: "to repeat" } });
  dialogue.answer(await modelCall(dialogue), textResponse("To repeat."));
  expectStatus((await ending(dialogue, started)).result, "completed");
}
