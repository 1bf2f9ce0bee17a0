// What the user says when the run has ended: each message is a run of its own, which goes on with the loop's own conversation.

import type { Failure, ModelAccess, ModelInvokeParams, RunResponse, WireExchange } from "../../../schemas/types.ts";
import { wholeItemsOfLost } from "./after-loss.ts";
import { breach } from "../base/failures.ts";
import type { DriverRequest } from "../base/protocol.ts";
import { checkForgotten, checkNextAnswer, checkNextRequest } from "../checks/next-message.ts";
import { DriverError } from "../driver/errors.ts";
import type { Reply } from "../driver/rpc.ts";
import { runAfter } from "../driver/run-names.ts";
import { askedModel } from "../observed/asked-model.ts";
import { waitsForCaller } from "../observed/observation.ts";
import { genericResponse, modelOf } from "../suite/script.ts";
import type { GenericRequest, ScriptedResponse } from "../wire/codec.ts";
import type { ProviderExchange, Reply as WireReply } from "../wire/provider-types.ts";
import type { RunContext } from "./run-context.ts";
import type { NextModel } from "./run-state.ts";

/** The further messages of the user of one run. @see SESSION-26 */
export class NextMessages implements NextModel {
  readonly #run: RunContext;
  /** What the user has said since the run ended. */
  readonly #said: string[] = [];
  /** How often the model was asked with the last of them. */
  #asked = 0;
  #wasRefused = false;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Whether the run of the case has ended, and the user has said something since. */
  get haveBegun(): boolean {
    return this.#said.length > 0;
  }

  /**
   * Says everything that the case has the user say, one after another.
   * @param model where the driver found the model of the run
   */
  async say(model: ModelAccess): Promise<void> {
    if (waitsForCaller(this.#run.seen)) return; // its calls are open: what comes next are decisions
    for (const input of this.#run.input.filled.case.next ?? []) await this.#sayOne(input, model);
  }

  async #sayOne(input: string, model: ModelAccess): Promise<void> {
    const { connection } = this.#run.input;
    const after = this.#name;
    this.#said.push(input);
    this.#asked = 0;
    this.#wasRefused = false;
    this.#run.nextModel = this;
    try {
      const answer = (await connection.request("run", { run: this.#name, after, input, model })) as RunResponse;
      this.#run.tick();
      const { result, session } = answer;
      this.#run.seen.next.push({ ...(result && { result }), ...(session && { session }) });
      if (!this.#wasRefused) this.#run.fail(checkNextAnswer(answer, this.#asked));
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      this.#run.fail([breach("SESSION-26", `the run did not go on with the user's next message: ${error.message}`)]);
    }
  }

  /** Takes a request of the driver. */
  request(method: DriverRequest, params: unknown, reply: Reply): void {
    if (method === "model/invoke") return this.#invoke((params as ModelInvokeParams).request, reply);
    if (method === "hook/fire") return reply.result({});
    if (method === "guardrail/check") return reply.result({ trip: false });
    if (method === "instructions/evaluate") return reply.result({ text: "" });
    if (method === "tools/evaluate") return reply.result({ tools: [] });
    const { call } = params as { call: { name: string } };
    const message = `${call.name} was executed with the user's next message, though the model did not ask for it again`;
    this.#run.fail([breach("SESSION-29", message, { received: call })]);
    reply.error("the model has not asked for this", { thrown: true });
  }

  /** Answers a request on the wire that breaks no rule of the provider. */
  answer(generic: GenericRequest): WireReply {
    const codec = this.#run.input.codec!;
    const maker = { provider: codec.provider, model: askedModel(generic.model, this.#run.seen) };
    this.#take(generic, (messages) => codec.normalize(messages, maker).messages);
    return { response: this.#response };
  }

  /** Takes a request on the wire that the provider refuses. @see SESSION-28 SESSION-27 */
  refused({ breaches, request: { body } }: ProviderExchange): void {
    this.#run.tick();
    this.#asked += 1;
    this.#wasRefused = true;
    this.#run.fail(
      breaches.map(({ rule, requirement, message }): Failure => {
        const isOfDriver = requirement === "DRIVER-10";
        const what = `the provider refuses the request with the user's next message (${rule}): ${message}`;
        return { code: "provider_rule", requirement: isOfDriver ? requirement : "SESSION-28", message: what };
      }),
    );
    this.#run.fail(checkForgotten(body, this.#run.seen));
  }

  #invoke(request: ModelInvokeParams["request"], reply: Reply): void {
    this.#take(request, (messages) => messages);
    const response = genericResponse(this.#response, "generic");
    const exchange: WireExchange = { request, response };
    this.#run.seen.exchanges.push(exchange);
    reply.result(response);
  }

  #take(request: Pick<GenericRequest, "messages">, inForm: Parameters<typeof checkNextRequest>[1]["inForm"]): void {
    this.#run.tick();
    this.#asked += 1;
    this.#run.seen.nextRequests.push({ messages: request.messages });
    const wholeOfLost = wholeItemsOfLost(this.#run.input);
    this.#run.fail(checkNextRequest(request, { said: this.#said, wholeOfLost, inForm }, this.#run.seen));
  }

  get #model(): string {
    const { driver, variant } = this.#run.input;
    return modelOf(driver, variant.seam);
  }

  /** What the model answers. */
  get #response(): ScriptedResponse {
    const usage = {
      input_tokens: 211,
      output_tokens: 7,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
    };
    return { parts: [{ text: "Noted." }], stop_reason: "end_turn", usage, model: this.#model, id: this.#name };
  }

  /** The run of the last message, or the run of the case before there is one. */
  get #name(): string {
    const { run } = this.#run.input;
    return this.#said.length === 0 ? run : runAfter(run, this.#said.length);
  }
}
