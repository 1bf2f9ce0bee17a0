// Answers the model calls of the generic seam with the case's next answer.

import type { ModelErrorData, ModelInvokeParams, WireExchange } from "../../../schemas/types.ts";
import type { AnswerMoments } from "./response-timing.ts";
import { checkGenericRequest, checkSummaryRequest } from "../checks/requests.ts";
import type { Reply } from "../driver/rpc.ts";
import type { ScriptStep } from "../suite/script-step.ts";
import { genericMessages, genericResponse, replayModel } from "../suite/script.ts";
import type { ModelCall, ScriptedModel } from "./scripted-model.ts";
import type { RunContext } from "./run-context.ts";

/** What a model call gets for which the case has no answer. */
const noAnswer: ModelErrorData = { error: { kind: "internal", message: "the kit has no answer to this model call" } };

/** The model of one run, on the generic seam. */
export class GenericModel {
  readonly #run: RunContext;
  readonly #script: ScriptedModel;
  readonly #moments: AnswerMoments;

  constructor(run: RunContext, script: ScriptedModel, moments: AnswerMoments) {
    this.#run = run;
    this.#script = script;
    this.#moments = moments;
  }

  /** Answers a model call. */
  async invoke({ request }: ModelInvokeParams, driverReply: Reply): Promise<void> {
    const { seen, isOver, elapsedMs, life } = this.#run;
    const exchange: WireExchange = { request };
    seen.exchanges.push(exchange);
    const reply = noting(driverReply, exchange);
    this.#moments.begin();
    const modelCall = this.#script.assign(request);
    const { run, number, isSummary } = modelCall;
    if (isOver) return reply.error("the run is over", noAnswer);
    this.#run.fail((isSummary ? checkSummaryRequest : checkGenericRequest)(request, number, run));
    const step = await this.#script.next(modelCall, request.tools);
    if (life !== this.#run.life) return;
    if (!step) return reply.error("the kit has no further answer for this run", noAnswer);
    if (this.#run.isCancelled) {
      await this.#run.over;
      return reply.error("the run was cancelled", noAnswer);
    }
    if (step.kind === "wire") throw new Error("bytes of the wire cannot be sent on the generic seam");
    if (step.kind === "fault") return this.#fail(step, modelCall, reply);
    const provider = this.#itemProvider();
    // An answer that comes when the loop has given the request up is none.
    if (this.#moments.isTooLong(this.#run.elapsedMs - elapsedMs)) run.disturbed = true;
    else this.#script.answered(step, genericMessages(step.response, provider), run);
    reply.result(genericResponse(step.response, provider));
  }

  #fail(step: Extract<ScriptStep, { kind: "fault" }>, { number, run }: ModelCall, reply: Reply): void {
    const { kind, message, retry_after_ms, after } = step.fault;
    this.#script.failed(step, run);
    const id = `${this.#run.input.run}-${number}`;
    const partial = genericMessages({ parts: after, model: replayModel, id }, this.#itemProvider());
    const error = { kind, message, ...(retry_after_ms !== undefined && { retry_after_ms }) };
    reply.error(message, { error, ...(partial.length > 0 && { partial }) } satisfies ModelErrorData);
  }

  /** Whose provider items a generic response has. */
  #itemProvider(): string {
    return this.#run.input.filled.case.variants?.providers?.[0] ?? "generic";
  }
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
