// Plays the model of a run: answers each call with the case's next answer, on the generic seam and on the wire.

import type { Failure, ModelAccess, ModelErrorData, ModelInvokeParams, WireExchange } from "../../reference/types.ts";
import { checkGenericRequest, checkWireRequest } from "./check-request.ts";
import type { GenericRequest, ScriptedFault, ScriptedResponse, Write } from "./codec.ts";
import { cutAnswer } from "./cut-answer.ts";
import { underDeclaredNames } from "./declared-names.ts";
import { breach } from "./failures.ts";
import type { GivenAnswer, ObservedRequest } from "./observation.ts";
import type { Reply as WireReply, ReplayExchange, ReplayRun } from "./replay-server.ts";
import type { Reply } from "./rpc.ts";
import { followUpOf } from "./follow-up.ts";
import { genericMessages, genericResponse, replayModel } from "./script.ts";
import type { ScriptStep } from "./script.ts";
import { quietRounds } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** What a model call gets for which the case has no answer. */
const noAnswer: ModelErrorData = { error: { kind: "internal", message: "the kit has no answer to this model call" } };

/** How long the client may take to close a request that was cancelled, in milliseconds. */
const closingMs = 1000;

/** The model of one run. */
export class ModelPlayer {
  readonly #stage: Stage;
  #wire: ReplayRun | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Where the driver finds the model. Opens the run on the replay server, if it is there. */
  open(): ModelAccess {
    const { variant, codec, server, run, apiKey } = this.#stage.input;
    if (variant.seam === "generic") return { seam: "generic" };
    this.#wire = server!.open(run, {
      codec: codec!,
      transport: variant.transport,
      onRequest: (exchange, generic) => this.#serve(exchange, generic),
      onBreach: (_, exchange) => this.#refused(exchange),
      onFailure: (error) => this.#stage.break(error),
      onDisconnect: () => this.#stage.tick(),
    });
    const { transport } = variant;
    return { seam: variant.seam, transport, base_url: this.#wire.baseUrl, api_key: apiKey, model: replayModel };
  }

  /** Closes what `open` opened, and keeps what went over the wire. */
  close(): void {
    const { input, seen } = this.#stage;
    input.server?.close(input.run);
    if (this.#wire) seen.exchanges = this.#wire.transcript.map(wireExchange);
  }

  /** Answers a model call of the generic seam. */
  async invoke({ request }: ModelInvokeParams, driverReply: Reply): Promise<void> {
    const { seen, isOver } = this.#stage;
    const exchange: WireExchange = { request };
    seen.exchanges.push(exchange);
    const reply = noting(driverReply, exchange);
    const number = this.#requested({ messages: request.messages, tools: request.tools });
    if (isOver) return reply.error("the run is over", noAnswer);
    this.#stage.fail(checkGenericRequest(request, number, seen));
    const step = await this.#nextStep(number, request.tools);
    if (!step) return reply.error("the kit has no further answer for this run", noAnswer);
    if (this.#stage.isCancelled) {
      await this.#stage.over;
      return reply.error("the run was cancelled", noAnswer);
    }
    if (step.kind === "wire") throw new Error("bytes of the wire cannot be sent on the generic seam");
    if (step.kind === "fault") return this.#failGeneric(step.fault, number, reply);
    const provider = this.#itemProvider();
    this.#answered(step.response, genericMessages(step.response, provider));
    reply.result(genericResponse(step.response, provider));
  }

  /** A cancel ends the HTTP request that is open. @see CANCEL-4 */
  async checkCancelledCall(): Promise<void> {
    if (!this.#stage.isCancelled || !this.#wire) return;
    for (const { complete, gone, number } of this.#wire.transcript) {
      if (complete || (await abortsWithin(gone, closingMs))) continue;
      const message = `the HTTP request of model call ${number} was still open after the cancelled run had ended`;
      this.#stage.fail([breach("CANCEL-4", message)]);
    }
  }

  async #serve(exchange: ReplayExchange, generic: GenericRequest): Promise<WireReply> {
    this.#stage.tick();
    const { input, seen } = this.#stage;
    const number = this.#requested({ ...generic, body: exchange.request.body });
    this.#stage.fail(checkWireRequest(generic, input.codec!, number, seen));
    const step = await this.#nextStep(number, generic.tools);
    if (!step) return serverError("the kit has no further answer for this run");
    // A request of a cancelled run is never answered: it ends when the client closes it, or the kit closes the run.
    if (this.#stage.isCancelled) return await never();
    const afterPart = (part: number) => this.#wrotePart(number, part);
    const { tools = [] } = input.filled.case.given;
    if (step.kind === "response" && step.cut === undefined) {
      // Counted before it is written: what the driver does with it may be seen before the last write returns.
      this.#answered(step.response, input.codec!.readResponse(step.response, exchange.request.body));
      return { say: underDeclaredNames(step.response, tools, generic.tools), afterPart };
    }
    seen.disturbed = true;
    if (step.kind === "fault") return { fail: step.fault, afterPart };
    if (step.kind === "response") {
      const said = underDeclaredNames(step.response, tools, generic.tools);
      const whole = input.codec!.renderResponse(said, generic.stream ? "sse" : "json", exchange.request.body);
      return { send: cutAnswer(whole, step.cut!, input.codec!.provider), afterPart };
    }
    seen.answers.push({ messages: [] });
    seen.expected.respondOpenly();
    const isLast = (count: number) => count === step.answer.writes.length;
    return {
      send: step.answer,
      beforeWrite: ({ hold }: Write) => (hold === undefined ? undefined : this.#held(hold)),
      afterWrite: (count) => this.#wrote(number, count, step.oneByOne === true && !isLast(count)),
    };
  }

  #refused({ request, breaches }: ReplayExchange): void {
    this.#stage.tick();
    const { seen } = this.#stage;
    seen.disturbed = true;
    this.#requested({ messages: [], tools: [], body: request.body });
    this.#stage.fail(
      breaches.map(({ rule, requirement, message }): Failure => {
        const isUnmatched = rule.endsWith("/endpoint") || rule.endsWith("/method");
        const code = isUnmatched ? "unmatched_request" : "provider_rule";
        return { code, requirement, message: `the provider refuses this request (${rule}): ${message}` };
      }),
    );
  }

  #requested(request: ObservedRequest): number {
    const { seen, actions, isOver, hasHeardCancel } = this.#stage;
    seen.requests.push(request);
    const number = ++actions.sightings.requests;
    if (hasHeardCancel) this.#stage.fail([breach("CANCEL-2", `model request ${number} came after the cancel`)]);
    else if (isOver) this.#stage.fail([breach("LOOP-28", `model request ${number} came after the result`)]);
    return number;
  }

  /** The answer to the n-th request, when everything that the case does at that moment is done. */
  async #nextStep(number: number, tools: readonly { name: string }[]): Promise<ScriptStep | undefined> {
    const { input, seen } = this.#stage;
    await this.#stage.fire();
    const last = input.filled.case.model.at(-1)?.repeat === true ? input.script.at(-1) : undefined;
    const step = input.script[number - 1] ?? last;
    if (!step) {
      seen.disturbed = true;
      const message = `the model was called ${number} times, but the case has only ${input.script.length} answers`;
      this.#stage.fail([{ code: "unmatched_request", message, expected: input.script.length, received: number }]);
      return undefined;
    }
    if (step.kind !== "response") return step;
    const called = underDeclaredNames(step.response, input.filled.case.given.tools ?? [], tools);
    this.#stage.fail(this.#undeclared(input.variant.seam === "generic" ? step.response : called, tools));
    return step;
  }

  /** The kit never volunteers a tool: the model can only call what it was told of. */
  #undeclared({ parts }: ScriptedResponse, tools: readonly { name: string }[]): Failure[] {
    const own = new Set((this.#stage.input.filled.case.given.tools ?? []).map(({ name }) => name));
    const told = new Set(tools.map(({ name }) => name));
    const called = parts.flatMap((part) => ("tool_call" in part ? [part.tool_call.name] : []));
    return called
      .filter((name) => own.has(name) && !told.has(name))
      .map((name) => {
        const message = `the model is about to call ${name}, but the request did not declare it`;
        return breach("LOOP-4", message, { expected: name, received: [...told] });
      });
  }

  #answered(response: ScriptedResponse, messages: GivenAnswer["messages"]): void {
    const { seen } = this.#stage;
    seen.answers.push({ response, messages, stopReason: response.stop_reason });
    seen.expected.respond(messages, followUpOf(response, seen.filled.case.given.options));
  }

  async #wrotePart(number: number, part: number): Promise<void> {
    const { actions, seen, hasBarrier } = this.#stage;
    this.#stage.tick();
    const awaited = actions.waiting.filter(({ when }) => when.request === number && when.after_parts === part);
    if (awaited.length === 0) return;
    // What was written has to reach the driver before the action does.
    if (hasBarrier) await this.#stage.quiet(quietRounds);
    const isCut = awaited.some(({ do: act }) => act === "cancel");
    if (isCut) {
      // The rest of the answer is never sent, so it is none.
      seen.answers.pop();
      seen.expected.cutOff();
    }
    actions.sightings.parts.set(number, part);
    await this.#stage.fire();
    if (isCut) await never();
  }

  /** Opens when an action releases the gate, or the run has ended. */
  #held(gate: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stage.gates.wait(gate, resolve);
    this.#stage.watch();
    return promise;
  }

  /** `isApart` says that the driver deals with this write before it sees another. */
  async #wrote(number: number, count: number, isApart: boolean): Promise<void> {
    const { actions, hasBarrier } = this.#stage;
    this.#stage.tick();
    const awaited = actions.waiting.filter(({ when }) => when.request === number && when.after_writes === count);
    if (hasBarrier && (isApart || awaited.length > 0)) await this.#stage.quiet(quietRounds);
    if (awaited.length === 0) return;
    actions.sightings.writes.set(number, count);
    await this.#stage.fire();
    if (awaited.some(({ do: act }) => act === "cancel")) await never();
  }

  #failGeneric({ kind, message, retry_after_ms, after }: ScriptedFault, number: number, reply: Reply): void {
    this.#stage.seen.disturbed = true;
    const id = `${this.#stage.input.run}-${number}`;
    const partial = genericMessages({ parts: after, model: replayModel, id }, this.#itemProvider());
    const error = { kind, message, ...(retry_after_ms !== undefined && { retry_after_ms }) };
    reply.error(message, { error, ...(partial.length > 0 && { partial }) } satisfies ModelErrorData);
  }

  /** Whose provider items a generic response has. */
  #itemProvider(): string {
    return this.#stage.input.filled.case.variants?.providers?.[0] ?? "generic";
  }
}

function never(): Promise<never> {
  return Promise.withResolvers<never>().promise;
}

function serverError(message: string): WireReply {
  return { fail: { kind: "server_error", message, after: [] } };
}

/** A reply that is also kept for the report. */
function noting(reply: Reply, exchange: WireExchange): Reply {
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

function wireExchange({ request, response, aborted }: ReplayExchange): WireExchange {
  return { request, ...(response && { response: { ...response, ...(aborted && { aborted }) } }) };
}

async function abortsWithin(signal: AbortSignal, ms: number): Promise<boolean> {
  if (signal.aborted) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  signal.addEventListener("abort", () => resolve(true), { once: true });
  const aborted = await promise;
  clearTimeout(timer);
  return aborted;
}
