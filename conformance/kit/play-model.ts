// Plays the model of a run: answers each call with the case's next answer, on the generic seam and on the wire.

import type { Failure, ModelAccess, ModelErrorData, ModelInvokeParams, WireExchange } from "../../reference/types.ts";
import { AnswerMoments, never } from "./answer-moments.ts";
import { checkBeginning } from "./check-beginning.ts";
import { checkGenericRequest, checkSummaryRequest, checkWireRequest } from "./check-request.ts";
import type { GenericRequest } from "./codec.ts";
import { cutAnswer } from "./cut-answer.ts";
import { underDeclaredNames } from "./declared-names.ts";
import { breach } from "./failures.ts";
import type { ObservedRequest } from "./observation.ts";
import { toldTools } from "./output-tool.ts";
import type { ReplayRun } from "./replay-run.ts";
import type { ReplayExchange, Reply as WireReply } from "./replay-types.ts";
import type { Reply } from "./rpc.ts";
import type { ScriptStep } from "./script-step.ts";
import { genericMessages, genericResponse, replayModel } from "./script.ts";
import { ScriptedModel } from "./scripted-model.ts";
import type { Asked } from "./scripted-model.ts";
import type { Stage } from "./stage.ts";

/** What a model call gets for which the case has no answer. */
const noAnswer: ModelErrorData = { error: { kind: "internal", message: "the kit has no answer to this model call" } };

/** How long the client may take to close a request that was cancelled, in milliseconds. */
const closingMs = 1000;

/** The model of one run. */
export class ModelPlayer {
  readonly #stage: Stage;
  readonly #script: ScriptedModel;
  readonly #moments: AnswerMoments;
  #wire: ReplayRun | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#script = new ScriptedModel(stage);
    this.#moments = new AnswerMoments(stage);
  }

  /** Where the driver finds the model. Opens the run on the replay server, if it is there. */
  open(): ModelAccess {
    const { variant, codec, server, run, apiKey, split } = this.#stage.input;
    if (variant.seam === "generic") return { seam: "generic" };
    this.#wire = server!.open(run, {
      codec: codec!,
      transport: variant.transport,
      ...(split !== undefined && { split }),
      onRequest: (exchange, generic) => this.#serve(exchange, generic),
      onBreach: (_, exchange) => this.#refused(exchange),
      onFailure: (error) => this.#stage.break(error),
      onDisconnect: () => this.#stage.tick(),
    });
    const { transcript } = this.#wire;
    this.#stage.serving = () => transcript.filter(({ complete, aborted }) => !complete && !aborted).length;
    const { transport } = variant;
    const { conversation } = this.#stage.input.filled.case.given;
    const access = { seam: variant.seam, transport, base_url: this.#wire.baseUrl, api_key: apiKey, model: replayModel };
    return conversation === undefined || access.seam === "openai-chat"
      ? (access as ModelAccess)
      : ({ ...access, conversation } as ModelAccess);
  }

  /** Closes what `open` opened, and keeps what went over the wire. */
  close(): void {
    const { input, seen } = this.#stage;
    input.server?.close(input.run);
    if (this.#wire) seen.exchanges = this.#wire.transcript.map(wireExchange);
  }

  /** Answers a model call of the generic seam. */
  async invoke({ request }: ModelInvokeParams, driverReply: Reply): Promise<void> {
    const { seen, isOver, elapsedMs } = this.#stage;
    const exchange: WireExchange = { request };
    seen.exchanges.push(exchange);
    const reply = noting(driverReply, exchange);
    const asked = this.#asked(request);
    const { run, number, isSummary } = asked;
    if (isOver) return reply.error("the run is over", noAnswer);
    this.#stage.fail((isSummary ? checkSummaryRequest : checkGenericRequest)(request, number, run));
    const step = await this.#script.next(asked, request.tools);
    if (!step) return reply.error("the kit has no further answer for this run", noAnswer);
    if (this.#stage.isCancelled) {
      await this.#stage.over;
      return reply.error("the run was cancelled", noAnswer);
    }
    if (step.kind === "wire") throw new Error("bytes of the wire cannot be sent on the generic seam");
    if (step.kind === "fault") return this.#failGeneric(step, asked, reply);
    const provider = this.#itemProvider();
    // An answer that comes when the loop has given the request up is none.
    if (this.#moments.isTooLong(this.#stage.elapsedMs - elapsedMs)) run.disturbed = true;
    else this.#script.answered(step, genericMessages(step.response, provider), run);
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
    const { input, elapsedMs } = this.#stage;
    const { body } = exchange.request;
    const asked = this.#asked({ ...generic, body });
    const { run, number, isSummary } = asked;
    this.#stage.fail(
      isSummary ? checkSummaryRequest(generic, number, run) : checkWireRequest(generic, input.codec!, number, run),
    );
    this.#stage.fail(checkBeginning(run.requests.at(-2)?.body, body, number));
    const step = await this.#script.next(asked, generic.tools);
    if (!step) return serverError("the kit has no further answer for this run");
    // A request of a cancelled run is never answered: it ends when the client closes it, or the kit closes the run.
    if (this.#stage.isCancelled) return await never();
    const timed = this.#moments.ofParts(asked);
    const tools = toldTools(run);
    const isLate = this.#moments.isTooLong(this.#stage.elapsedMs - elapsedMs);
    if (step.kind === "response" && step.cut === undefined && !isLate) {
      // Counted before it is written: what the driver does with it may be seen before the last write returns.
      this.#script.answered(step, input.codec!.readResponse(step.response, body), run);
      return { say: underDeclaredNames(step.response, tools, generic.tools), ...timed };
    }
    this.#script.failed(step, run);
    if (step.kind === "fault") return { fail: step.fault, ...timed };
    if (step.kind === "response") {
      const said = underDeclaredNames(step.response, tools, generic.tools);
      const whole = input.codec!.renderResponse(said, generic.stream ? "sse" : "json", body);
      return { send: step.cut ? cutAnswer(whole, step.cut, input.codec!.provider) : whole, ...timed };
    }
    run.answers.push({ messages: [] });
    run.expected.respondOpenly();
    return { send: step.answer, ...timed, ...this.#moments.ofWrites(asked, step) };
  }

  #asked(request: ObservedRequest): Asked {
    this.#moments.begin();
    return this.#script.asked(request);
  }

  #refused({ request, breaches }: ReplayExchange): void {
    this.#stage.tick();
    const { seen } = this.#stage;
    seen.disturbed = true;
    this.#moments.begin();
    this.#script.came({ messages: [], tools: [], body: request.body }, seen);
    this.#stage.fail(
      breaches.map(({ rule, requirement, message }): Failure => {
        const isUnmatched = rule.endsWith("/endpoint") || rule.endsWith("/method");
        const code = isUnmatched ? "unmatched_request" : "provider_rule";
        return { code, requirement, message: `the provider refuses this request (${rule}): ${message}` };
      }),
    );
  }

  #failGeneric(step: Extract<ScriptStep, { kind: "fault" }>, { number, run }: Asked, reply: Reply): void {
    const { kind, message, retry_after_ms, after } = step.fault;
    this.#script.failed(step, run);
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
