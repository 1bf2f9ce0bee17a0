// Plays one variant against a driver: answers its model calls and tools, does what the case says on the way, and notes everything.

import type {
  Agent,
  Do,
  EventParams,
  Failure,
  Handler,
  InitializeResult,
  ModelAccess,
  ModelErrorData,
  ModelInvokeParams,
  RunResponse,
  Session,
  ToolAbortParams,
  ToolExecuteParams,
} from "../../reference/types.ts";
import { Actions, Gates, describeWhen } from "./actions.ts";
import { checkGenericRequest, checkWireRequest } from "./check-request.ts";
import type { GenericRequest, ProviderCodec, ScriptedResponse } from "./codec.ts";
import { ExpectedSession } from "./expected-session.ts";
import type { ToolAnswer } from "./expected-session.ts";
import { breach } from "./failures.ts";
import type { FilledCase } from "./fill-case.ts";
import type { Execution, Observation } from "./observation.ts";
import type { DriverNotification, DriverRequest } from "./protocol.ts";
import type { ReplayExchange, ReplayRun, ReplayServer, Reply as WireReply } from "./replay-server.ts";
import type { Reply, RpcConnection } from "./rpc.ts";
import { genericMessages, genericResponse, replayModel } from "./script.ts";
import type { ScriptStep } from "./script.ts";
import { takesBarrier } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** What one run needs. */
export interface CaseRunInput {
  /** Names the run, for the driver and in paths. */
  run: string;
  filled: FilledCase;
  script: ScriptStep[];
  variant: Variant;
  driver: InitializeResult;
  connection: Pick<RpcConnection, "request" | "notify">;
  /** What the driver has to send as its API key. */
  apiKey: string;
  /** Both present on the wire. */
  codec?: ProviderCodec;
  server?: ReplayServer;
}

/** The spec version of the sessions that the kit makes. */
const sessionVersion = "1.0";
/** How many barriers in a row bring nothing new before the kit believes that nothing more happens. */
const quietRounds = 2;

/** One run of one variant. */
export class CaseRun {
  readonly seen: Observation;
  readonly #input: CaseRunInput;
  readonly #actions: Actions;
  readonly #gates = new Gates();
  readonly #handled = new Map<string, number>();
  readonly #barriers: boolean;
  readonly #ended = Promise.withResolvers<void>();
  #wire: ReplayRun | undefined;
  #clock = 0;
  #isOver = false;
  #isCancelled = false;
  #watching = false;
  #fault: ((error: Error) => void) | undefined;
  /** Called with every sign of life of the run. */
  onActivity: () => void = () => undefined;

  constructor(input: CaseRunInput) {
    this.#input = input;
    this.#barriers = takesBarrier(input.driver);
    this.#actions = new Actions(input.filled.case.actions ?? [], (act) => this.#perform(act));
    this.seen = {
      filled: input.filled,
      variant: input.variant,
      driver: input.driver,
      ...(input.variant.seam !== "generic" && { apiKey: input.apiKey }),
      requests: [],
      executions: [],
      aborted: [],
      events: [[]],
      results: [],
      answers: [],
      disturbed: false,
      expected: new ExpectedSession(input.filled.case.given.messages),
      exchanges: [],
      failures: [],
    };
  }

  /**
   * Plays the run to its end.
   * @throws what the connection throws, and whatever goes wrong in the kit
   */
  async play(): Promise<Observation> {
    const broken = new Promise<never>((_, reject) => (this.#fault = reject));
    try {
      await Promise.race([this.#play(), broken]);
    } finally {
      this.#isOver = true;
      this.#ended.resolve();
      this.#gates.openAll();
      this.#input.server?.close(this.#input.run);
      if (this.#wire) this.seen.exchanges = this.#wire.transcript.map(wireExchange);
    }
    return this.seen;
  }

  /** Takes a request of the driver that names this run. */
  request(method: DriverRequest, params: unknown, reply: Reply): void {
    this.#tick();
    const answer = method === "tool/execute" ? this.#execute(params as ToolExecuteParams, reply) : this.#invoke(params as ModelInvokeParams, reply);
    answer.catch((error: unknown) => this.#fault?.(error as Error));
  }

  /** Takes a notification of the driver that names this run. */
  notification(method: DriverNotification, params: unknown): void {
    this.#tick();
    if (method === "event") {
      this.seen.events.at(-1)!.push((params as EventParams).event);
      return;
    }
    const { id } = params as ToolAbortParams;
    this.seen.aborted.push(id);
    this.seen.expected.unsettled(id);
    // From here on the loop does not wait for the tool, so that what starts now does not overlap with it.
    for (const execution of this.seen.executions) if (execution.id === id) execution.end ??= this.#clock;
  }

  async #play(): Promise<void> {
    const { connection, run, filled, variant } = this.#input;
    const { given } = filled.case;
    const agents = { main: this.#agent() };
    const model = this.#modelAccess();
    const session: Session = { spec_version: sessionVersion, id: `session-${run}`, messages: given.messages };
    const clock = this.#usesClock() ? { clock: "virtual" } : {};
    const first = connection.request("run", { run, session, agents, agent: "main", ...(given.options && { options: given.options }), model, ...clock });
    let answer = (await first) as RunResponse;
    this.#returned(answer);
    for (let resume = this.#nextResume(answer); resume; resume = this.#nextResume(answer)) {
      this.seen.events.push([]);
      this.seen.expected.decided(resume);
      const { snapshot } = answer.result!;
      answer = (await connection.request("resume", { run, snapshot, decisions: resume, agents, model })) as RunResponse;
      this.#returned(answer);
    }
    this.#isOver = true;
    this.#ended.resolve();
    this.#gates.openAll();
    // Whatever a driver still does after its answer is seen before the run is judged.
    if (this.#barriers) await this.#quiet(1);
    await this.#checkCancelledCall(variant);
  }

  #agent(): Agent {
    const { instructions, tools } = this.#input.filled.case.given;
    return { name: "main", ...(instructions !== undefined && { instructions }), ...(tools && { tools }) };
  }

  #modelAccess(): ModelAccess {
    const { variant, codec, server, run, apiKey } = this.#input;
    if (variant.seam === "generic") return { seam: "generic" };
    this.#wire = server!.open(run, {
      codec: codec!,
      transport: variant.transport,
      onRequest: (exchange, generic) => this.#serve(exchange, generic),
      onBreach: (_, exchange) => this.#refused(exchange),
      onFailure: (error) => this.#fault?.(error as Error),
      onDisconnect: () => this.#tick(),
    });
    return { seam: variant.seam, transport: variant.transport, base_url: this.#wire.baseUrl, api_key: apiKey, model: replayModel };
  }

  #usesClock(): boolean {
    return (this.#input.filled.case.actions ?? []).some(({ do: act }) => typeof act === "object" && act.advance_ms !== undefined);
  }

  #returned(answer: RunResponse): void {
    this.#tick();
    this.seen.results.push({ ...(answer.result && { result: answer.result }), ...(answer.session && { session: answer.session }) });
  }

  /** The decisions with which the case resumes the run, if it suspended and the case does. */
  #nextResume(answer: RunResponse): Extract<Do, object>["resume"] {
    if (answer.result?.status !== "suspended") return undefined;
    const resume = this.#actions.waiting.find(({ when, do: act }) => when.suspended && typeof act === "object" && act.resume);
    if (!resume) return undefined;
    this.#actions.take(resume);
    return (resume.do as Extract<Do, object>).resume;
  }

  // ---- the model

  async #invoke({ request }: ModelInvokeParams, driverReply: Reply): Promise<void> {
    const exchange: Observation["exchanges"][number] = { request };
    this.seen.exchanges.push(exchange);
    const reply = noting(driverReply, exchange);
    const number = this.#requested({ messages: request.messages, tools: request.tools });
    if (this.#isOver) return reply.error("the run is over");
    this.#fail(checkGenericRequest(request, number, this.seen));
    const step = await this.#nextStep(number, request);
    if (!step) return reply.error("the kit has no further answer for this run", this.#unmatched());
    if (this.#isCancelled) return this.#answerAfterEnd(() => reply.error("the run was cancelled", this.#unmatched()));
    if (step.kind === "response") {
      this.#answered(step.response, genericMessages(step.response, this.#itemProvider()));
      return reply.result(genericResponse(step.response, this.#itemProvider()));
    }
    if (step.kind !== "fault") throw new Error("bytes of the wire cannot be sent on the generic seam");
    this.seen.disturbed = true;
    const { kind, message, retry_after_ms, after } = step.fault;
    const partial = genericMessages({ parts: after, model: replayModel, id: `${this.#input.run}-${number}` }, this.#itemProvider());
    const error = { kind, message, ...(retry_after_ms !== undefined && { retry_after_ms }) };
    reply.error(message, { error, ...(partial.length > 0 && { partial }) } satisfies ModelErrorData);
  }

  async #serve(exchange: ReplayExchange, generic: GenericRequest): Promise<WireReply> {
    this.#tick();
    const { codec } = this.#input;
    const number = this.#requested({ ...generic, body: exchange.request.body });
    this.#fail(checkWireRequest(generic, codec!, number, this.seen));
    const step = await this.#nextStep(number, generic);
    if (!step) return { fail: { kind: "server_error", message: "the kit has no further answer for this run", after: [] } };
    if (this.#isCancelled) {
      await this.#ended.promise;
      return { fail: { kind: "server_error", message: "the run was cancelled", after: [] } };
    }
    const afterPart = (part: number) => this.#wrotePart(number, part);
    if (step.kind === "response") {
      const messages = codec!.readResponse(step.response);
      // Counted before it is written: what the driver does with it may be seen before the last write returns.
      this.#answered(step.response, messages);
      return { say: step.response, afterPart };
    }
    this.seen.disturbed = true;
    if (step.kind === "fault") return { fail: step.fault, afterPart };
    this.seen.answers.push({ messages: [] });
    this.seen.expected.respondOpenly();
    return { send: step.answer };
  }

  #refused(exchange: ReplayExchange): void {
    this.#tick();
    this.seen.disturbed = true;
    this.#actions.sightings.requests += 1;
    this.seen.requests.push({ messages: [], tools: [], body: exchange.request.body });
    this.#fail(
      exchange.breaches.map(({ rule, requirement, message }): Failure => {
        const unmatched = rule.endsWith("/endpoint") || rule.endsWith("/method");
        return { code: unmatched ? "unmatched_request" : "provider_rule", requirement, message: `the provider refuses this request (${rule}): ${message}` };
      }),
    );
  }

  #requested(request: Observation["requests"][number]): number {
    this.seen.requests.push(request);
    return ++this.#actions.sightings.requests;
  }

  /** The answer to the n-th request, when everything that the case does at that moment is done. */
  async #nextStep(number: number, request: { tools: readonly { name: string }[] }): Promise<ScriptStep | undefined> {
    await this.#actions.fire();
    const step = this.#input.script[number - 1];
    if (!step) {
      this.seen.disturbed = true;
      const message = `the model was called ${number} times, but the case has only ${this.#input.script.length} answers`;
      this.#fail([{ code: "unmatched_request", message, expected: this.#input.script.length, received: number }]);
      return undefined;
    }
    if (step.kind === "response") this.#fail(this.#undeclared(step.response, request));
    return step;
  }

  /** The kit never volunteers a tool: the model can only call what it was told of. */
  #undeclared(response: ScriptedResponse, request: { tools: readonly { name: string }[] }): Failure[] {
    const own = new Set((this.#input.filled.case.given.tools ?? []).map(({ name }) => name));
    const told = new Set(request.tools.map(({ name }) => name));
    return response.parts.flatMap((part) => {
      if (!("tool_call" in part) || !own.has(part.tool_call.name) || told.has(part.tool_call.name)) return [];
      return [breach("LOOP-4", `the model is about to call ${part.tool_call.name}, but the request did not declare it`, { expected: part.tool_call.name, received: [...told] })];
    });
  }

  #answered(response: ScriptedResponse, messages: Observation["answers"][number]["messages"]): void {
    this.seen.answers.push({ response, messages, stopReason: response.stop_reason });
    this.seen.expected.respond(messages);
  }

  async #wrotePart(number: number, part: number): Promise<void> {
    this.#tick();
    const cuts = this.#actions.waiting.some(({ when }) => when.request === number && when.after_parts === part);
    if (!cuts) return;
    // What was written has to reach the driver before the action does.
    if (this.#barriers) await this.#quiet(quietRounds);
    this.#actions.sightings.parts.set(number, part);
    await this.#actions.fire();
    if (!this.#isCancelled) return;
    // The rest of the answer is never sent, so it is none.
    this.seen.answers.pop();
    this.seen.expected.cutOff();
    await this.#ended.promise;
  }

  #unmatched(): ModelErrorData {
    return { error: { kind: "internal", message: "the kit has no answer to this model call" } };
  }

  #answerAfterEnd(answer: () => void): void {
    void this.#ended.promise.then(answer);
  }

  #itemProvider(): string {
    return this.#input.filled.case.variants?.providers?.[0] ?? "generic";
  }

  // ---- the tools

  async #execute({ call }: ToolExecuteParams, reply: Reply): Promise<void> {
    const { expected, executions } = this.seen;
    const execution: Execution = { id: call.id, name: call.name, input: call.input, start: this.#clock };
    executions.push(execution);
    const asked = expected.execute(call.id, call.name);
    this.#fail(this.#checkExecution(execution, asked?.input));
    const handler = this.#handler(call.name);
    this.#actions.sightings.started.add(call.name);
    const fired = this.#actions.fire();
    if (!handler) return this.#answerTool(execution, { thrown: "the kit has no handler for this execution" }, reply);
    const proceed = () => this.#answerTool(execution, answerOf(handler), reply, handler.fatal);
    if (handler.hold !== undefined) {
      this.#gates.wait(handler.hold, proceed);
      return this.#watch();
    }
    await fired;
    // A sibling that starts beside this call is seen before the call ends.
    if (this.#barriers && expected.isBatch) await this.#quiet(1);
    proceed();
  }

  #checkExecution({ id, name, input }: Execution, asked: Record<string, unknown> | null | undefined): Failure[] {
    const failures: Failure[] = [];
    if (this.#isOver) failures.push(breach("LOOP-28", `tool ${name} was executed after the result`, { received: { id, name, input } }));
    if (this.#isCancelled) failures.push(breach("CANCEL-2", `tool ${name} was started after the cancel`, { received: { id, name, input } }));
    if (this.seen.executions.filter((execution) => execution.id === id).length > 1) failures.push(breach("TOOL-12", `the call ${id} of ${name} was executed twice`));
    if (asked === undefined && !this.seen.expected.isOpen) failures.push(breach("EVENT-9", `tool ${name} was executed as ${id}, but the last response has no such call`, { expected: this.seen.expected.calls.map(({ message }) => message.id), received: id }));
    if (asked === null) failures.push(breach("TOOL-3", `tool ${name} was executed, but its arguments were not a JSON object`, { received: input }));
    if (asked && JSON.stringify(asked) !== JSON.stringify(input)) failures.push(breach("TOOL-8", `tool ${name} was executed with other arguments than the model wrote`, { expected: asked, received: input }));
    return failures;
  }

  #handler(name: string): Handler | undefined {
    const handlers = this.#input.filled.case.given.handlers ?? {};
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    const count = this.#handled.get(name) ?? 0;
    this.#handled.set(name, count + 1);
    if (!handler) this.#fail([breach("TOOL-9", `tool ${name} was executed, but the case has no handler for it`)]);
    if (!handler?.sequence) return handler;
    const next = handler.sequence[count];
    if (!next) this.#fail([{ code: "assertion", message: `tool ${name} was executed ${count + 1} times, but its sequence has ${handler.sequence.length} entries` }]);
    return next;
  }

  #answerTool(execution: Execution, answer: ToolAnswer, reply: Reply, fatal = false): void {
    this.#clock += 1;
    execution.end ??= this.#clock;
    execution.answer = answer;
    const settled = !this.#isCancelled && !this.#isOver && !this.seen.aborted.includes(execution.id);
    if (settled) this.seen.expected.answered(execution.id, answer);
    if (fatal) this.seen.disturbed = true;
    if (answer.thrown !== undefined) reply.error(answer.thrown, { thrown: true, ...(fatal && { fatal }) });
    else reply.result({ output: answer.output!, ...(answer.isError && { is_error: true }) });
    this.#actions.sightings.ended.add(execution.name);
    this.#actions.fire().catch((error: unknown) => this.#fault?.(error as Error));
  }

  // ---- what the kit does by itself

  async #perform(act: Do): Promise<void> {
    const { connection, run } = this.#input;
    if (act === "cancel" || act === "stop") {
      if (act === "cancel") {
        this.#isCancelled = true;
        this.seen.disturbed = true;
        for (const { id, end } of this.seen.executions) if (end === undefined) this.seen.expected.unsettled(id);
      }
      connection.notify(act, { run });
      // The model is answered only after the driver has heard of it.
      await this.#barrier();
      return this.#watch();
    }
    if (act.advance_ms !== undefined) {
      for (const { id, end } of this.seen.executions) if (end === undefined) this.seen.expected.unsettled(id);
      await connection.request("clock/advance", { run, ms: act.advance_ms });
      this.#tick();
      return this.#watch();
    }
    for (const gate of [act.release ?? []].flat()) {
      this.#gates.open(gate);
      // The driver has dealt with one end before it hears of the next.
      if (this.#barriers) await this.#quiet(1);
    }
  }

  /** While tools are held, makes sure that the run cannot hang: where nothing more happens, nothing ever will. */
  #watch(): void {
    const realTime = !this.#usesClock() && this.#waitsForTime();
    if (this.#watching || this.#isOver || realTime) return;
    this.#watching = true;
    const watched = async () => {
      while (!this.#isOver && this.#gates.held > 0) {
        const before = this.#clock;
        await this.#quiet(quietRounds);
        if (this.#isOver || this.#gates.held === 0) break;
        if (this.#actions.busy || this.#clock !== before) continue;
        this.#stuck();
      }
      this.#watching = false;
    };
    watched().catch((error: unknown) => this.#fault?.(error as Error));
  }

  /** Whether the run may be waiting for real time to pass. */
  #waitsForTime(): boolean {
    const { options, tools } = this.#input.filled.case.given;
    return options?.tool_timeout_ms != null || (options?.cancel_grace_ms ?? 0) > 0 || (tools ?? []).some(({ timeout_ms }) => timeout_ms !== undefined);
  }

  #stuck(): void {
    const running = this.seen.executions.filter(({ end }) => end === undefined).map(({ name }) => name);
    const waiting = this.#actions.waiting.map(({ when }) => describeWhen(when));
    const reason = waiting.length > 0 ? `the case waits until ${waiting.join(", and until ")}` : "the run did not end";
    this.seen.disturbed = true;
    this.#fail([{ code: "stuck", message: `nothing more happens while ${running.join(" and ")} ${running.length > 1 ? "run" : "runs"}; ${reason}`, received: running }]);
    this.#gates.openAll();
  }

  /** Resolves when so many barriers in a row were answered without a sign of life in between. */
  async #quiet(rounds: number): Promise<void> {
    for (let quiet = 0; quiet < rounds; ) {
      const before = this.#clock;
      await this.#barrier();
      // Requests on the wire travel on another way than the barrier's answer: they are read in the next turns of the event loop.
      await nextTurn();
      await nextTurn();
      quiet = this.#clock === before ? quiet + 1 : 0;
    }
  }

  async #barrier(): Promise<void> {
    if (!this.#barriers) return;
    await this.#input.connection.request("barrier", { run: this.#input.run });
  }

  /** @see CANCEL-4 */
  async #checkCancelledCall(variant: Variant): Promise<void> {
    if (!this.#isCancelled || variant.seam === "generic") return;
    const open = this.#wire?.transcript.filter(({ complete }) => !complete) ?? [];
    for (const exchange of open) {
      if (exchange.gone.aborted) continue;
      const closed = await closesWithin(exchange.gone, 1000);
      if (!closed) this.#fail([breach("CANCEL-4", `the HTTP request of model call ${exchange.number} was still open after the run had been cancelled and had ended`)]);
    }
  }

  #fail(failures: Failure[]): void {
    this.seen.failures.push(...failures);
  }

  #tick(): void {
    this.#clock += 1;
    this.onActivity();
  }
}

function answerOf({ output, is_error, throw: thrown }: Handler): ToolAnswer {
  if (thrown !== undefined) return { thrown };
  return { output: output!, ...(is_error && { isError: true }) };
}

/** A reply that is also kept for the report. */
function noting(reply: Reply, exchange: Observation["exchanges"][number]): Reply {
  return {
    result(value) {
      exchange.response = value;
      reply.result(value);
    },
    error(message, data) {
      exchange.response = { error: { message, ...(data !== undefined && { data }) } };
      reply.error(message, data);
    },
  };
}

function wireExchange({ request, response, aborted }: ReplayExchange): Observation["exchanges"][number] {
  return { request, ...(response && { response: { ...response, ...(aborted && { aborted }) } }) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function closesWithin(signal: AbortSignal, ms: number): Promise<boolean> {
  if (signal.aborted) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  signal.addEventListener("abort", () => resolve(true), { once: true });
  const closed = await promise;
  clearTimeout(timer);
  return closed;
}
