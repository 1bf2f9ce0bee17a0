// Answers the model calls on the wire with the case's next answer, as the provider whose server the kit plays.

import type { Failure, ModelAccess, WireExchange } from "../../../schemas/types.ts";
import { never } from "./response-timing.ts";
import type { AnswerMoments } from "./response-timing.ts";
import { checkPrefix } from "../checks/request-prefix.ts";
import { askedModel } from "../observed/asked-model.ts";
import { checkLetters, checkSummaryRequest, checkWireRequest } from "../checks/requests.ts";
import type { GenericRequest } from "../wire/codec.ts";
import { cutAnswer } from "../wire/cut-response.ts";
import { underDeclaredNames } from "../suite/declared-names.ts";
import { breach } from "../base/failures.ts";
import { offeredTools } from "../observed/output-tool.ts";
import type { ProviderSession } from "../wire/provider-session.ts";
import type { ProviderExchange, Reply } from "../wire/provider-types.ts";
import { modelOf } from "../suite/script.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { TimeLimit, comesBefore } from "../driver/time-limit.ts";
import type { RunContext } from "./run-context.ts";
import type { Variant } from "../suite/variant.ts";

/** How long the client may take to close a request that was cancelled, in milliseconds. */
const closingMs = 1000;

/** The model of one run, on the wire. */
export class WireModel {
  readonly #run: RunContext;
  readonly #script: ScriptedModel;
  readonly #moments: AnswerMoments;
  #wire: ProviderSession | undefined;

  constructor(run: RunContext, script: ScriptedModel, moments: AnswerMoments) {
    this.#run = run;
    this.#script = script;
    this.#moments = moments;
  }

  /** Opens the run on the provider server. Returns where the driver finds it. */
  open({ seam, transport }: Exclude<Variant, { seam: "generic" }>): ModelAccess {
    const { codec, server, run, apiKey, split } = this.#run.input;
    this.#wire = server!.open(run, {
      codec: codec!,
      transport,
      // Some frameworks stream by the name of the model, whatever their user asks for.
      ...(isWireDriver(this.#run.input.driver) && { followsRequest: true, withoutDialects: true }),
      ...(split !== undefined && { split, onPiece: () => this.#run.tick() }),
      onRequest: (exchange, generic) => this.#run.nextModel?.answer(generic) ?? this.#serve(exchange, generic),
      onBreach: (_, exchange) =>
        this.#run.nextModel ? this.#run.nextModel.refused(exchange) : this.#refused(exchange),
      onFailure: (error) => this.#run.break(error),
      onDisconnect: () => this.#run.tick(),
    });
    const { transcript } = this.#wire;
    this.#run.serving = () => transcript.filter(({ complete, aborted }) => !complete && !aborted).length;
    const { conversation } = this.#run.input.filled.case.given;
    const access = {
      seam,
      transport,
      base_url: this.#wire.baseUrl,
      api_key: apiKey,
      model: modelOf(this.#run.input.driver, seam),
    };
    return conversation === undefined || !codec!.keepsConversations ? access : { ...access, conversation };
  }

  /** Closes what `open` opened, and keeps what went over the wire. */
  close(): void {
    const { input, seen } = this.#run;
    input.server?.close(input.run);
    if (this.#wire) seen.exchanges = this.#wire.transcript.map(wireExchange);
  }

  /** A cancel ends the HTTP request that is open. @see CANCEL-4 */
  async checkCancelledCall(): Promise<void> {
    if (!this.#run.isCancelled || !this.#wire) return;
    for (const { complete, gone, number } of this.#wire.transcript) {
      if (complete || (await comesBefore(untilAborted(gone), new TimeLimit(closingMs), this.#run.input.pid?.())))
        continue;
      const message = `the HTTP request of model call ${number} was still open after the cancelled run had ended`;
      this.#run.fail([breach("CANCEL-4", message)]);
    }
  }

  async #serve(exchange: ProviderExchange, generic: GenericRequest): Promise<Reply> {
    this.#run.tick();
    const { input, elapsedMs, life } = this.#run;
    const { body } = exchange.request;
    this.#moments.begin();
    const modelCall = this.#script.assign({ ...generic, body });
    const { run, number, isSummary } = modelCall;
    this.#run.fail(
      isSummary ? checkSummaryRequest(generic, number, run) : checkWireRequest(generic, input.codec!, number, run),
    );
    this.#run.fail(checkLetters(generic, input.codec!, input.driver, number));
    this.#run.fail(checkPrefix(run.requests.at(-2)?.body, body, number));
    const step = await this.#script.next(modelCall, generic.tools);
    if (life !== this.#run.life) return await never(); // the process that asked has ended
    if (!step) return serverError("the kit has no further answer for this run");
    // A request of a cancelled run is never answered: it ends when the client closes it, or the kit closes the run.
    if (this.#run.isCancelled) return await never();
    const timed = this.#moments.ofParts(modelCall);
    const tools = offeredTools(run);
    const isLate = this.#moments.isTooLong(this.#run.elapsedMs - elapsedMs);
    if (step.kind === "response" && step.cut === undefined && !isLate) {
      // Counted before it is written: what the driver does with it may be seen before the last write returns.
      const response = { ...step.response, model: askedModel(generic.model, run) };
      this.#script.answered(step, input.codec!.readResponse(response, body), run);
      return { response: underDeclaredNames(step.response, tools, generic.tools), ...timed };
    }
    this.#script.failed(step, run);
    if (step.kind === "fault") return { fault: step.fault, ...timed };
    if (step.kind === "response") {
      const rendered = underDeclaredNames(step.response, tools, generic.tools);
      const whole = input.codec!.renderResponse(rendered, exchange.transport!, body);
      return { wire: step.cut ? cutAnswer(whole, step.cut, input.codec!) : whole, ...timed };
    }
    run.answers.push({ messages: [] });
    run.expected.respondOpenly();
    return { wire: step.answer, ...timed, ...this.#moments.ofWrites(modelCall, step) };
  }

  #refused({ request, breaches }: ProviderExchange): void {
    this.#run.tick();
    const { seen } = this.#run;
    seen.disturbed = true;
    this.#moments.begin();
    this.#script.record({ messages: [], tools: [], body: request.body }, seen);
    this.#run.fail(
      breaches.map(({ rule, requirement, message }): Failure => {
        const isUnmatched = rule.endsWith("/endpoint") || rule.endsWith("/method");
        const code = isUnmatched ? "unmatched_request" : "provider_rule";
        return { code, requirement, message: `the provider refuses this request (${rule}): ${message}` };
      }),
    );
  }
}

function serverError(message: string): Reply {
  return { fault: { kind: "server_error", message, after: [] } };
}

function wireExchange({ request, response, aborted }: ProviderExchange): WireExchange {
  return { request, ...(response && { response: { ...response, ...(aborted && { aborted }) } }) };
}

/** Settles when it is aborted. */
async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
