// A run on another session, started while the first is under way: each has to be as it would be alone.

import type { ModelInvokeParams, RunParams, RunResponse } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { DriverRequest } from "../base/protocol.ts";
import { DriverError } from "../driver/errors.ts";
import type { Reply } from "../driver/rpc.ts";
import { runOnAnotherSession } from "../driver/run-names.ts";
import { genericResponse, modelOf, replayModel } from "../suite/script.ts";
import type { GenericRequest, ScriptedResponse } from "../wire/codec.ts";
import type { Reply as WireReply } from "../wire/provider-types.ts";
import type { RunContext } from "./run-context.ts";

/** The other run beside one run: its user says one thing, and its model answers one text, once the first run has ended. @see LOOP-120 */
export class RunBeside {
  readonly #first: RunContext;
  readonly #run: string;
  readonly #firstEnded = Promise.withResolvers<void>();
  #said = "";
  #answered: Promise<void> | undefined;

  constructor(first: RunContext) {
    this.#first = first;
    this.#run = runOnAnotherSession(first.input.run);
  }

  /** Whether a request or a notification of the driver is of this run. */
  has(run: string): boolean {
    return run === this.#run;
  }

  /**
   * Starts it. Does not wait for its end, which comes after that of the first.
   * @param start what the first run was started with
   * @param said what its user says
   */
  start({ agents, agent, session }: RunParams, said: string): void {
    this.#said = said;
    const { spec_version, id } = session;
    const own = { spec_version, id: `${id}-beside`, messages: [{ role: "user" as const, content: said }] };
    const params = { run: this.#run, agents, agent, session: own, model: this.#openModel() };
    this.#answered = this.#first.input.connection
      .request("run", params)
      .then((response) => this.#check(response as RunResponse))
      .catch((error: unknown) => {
        if (!(error instanceof DriverError)) return this.#first.break(error);
        this.#fail(`has no result: ${error.message}`);
      });
  }

  /** Lets its model answer, for the first run has ended. Settles when the driver has answered; at once if it was never started. */
  async end(): Promise<void> {
    this.#firstEnded.resolve();
    await this.#answered;
  }

  /** Closes what `start` opened. */
  close(): void {
    this.#firstEnded.resolve();
    this.#first.input.server?.close(this.#run);
  }

  /** Takes a request of the driver that names this run: its model is asked, and nothing else. */
  request(method: DriverRequest, params: unknown, reply: Reply): void {
    if (method === "model/invoke") return void this.#invoke((params as ModelInvokeParams).request, reply);
    this.#fail(`asks the kit for ${method}, which belongs to the first`, params);
    reply.error("this is of another run", { thrown: true });
  }

  async #invoke(request: ModelInvokeParams["request"], reply: Reply): Promise<void> {
    this.#checkRequest(request);
    await this.#firstEnded.promise;
    reply.result(genericResponse(this.#response, "generic"));
  }

  #checkRequest({ messages }: Pick<GenericRequest, "messages">): void {
    this.#first.tick();
    const received = messages.filter(({ role }) => role !== "system");
    const hasInput = JSON.stringify(received).includes(JSON.stringify(this.#said));
    if (received.length !== 1 || !hasInput) this.#fail("asks its model with messages of the first", messages);
  }

  #check({ result, session }: RunResponse): void {
    this.#first.tick();
    const counts = { status: "completed", turns: 1, tool_calls: 0, final_text: answer };
    const messages = [
      { role: "user", content: this.#said },
      { role: "assistant", content: answer },
    ];
    for (const { path, message } of result ? matchData(counts, result) : [])
      this.#fail(`has another result: ${path} ${message}`, result);
    if (result?.still_running) this.#fail("reports tools of the first as still running", result.still_running);
    for (const { path, message } of session ? matchData(messages, session.messages) : [])
      this.#fail(`has another session: ${path} ${message}`, session);
  }

  #fail(what: string, received?: unknown): void {
    this.#first.tick();
    const message = `the run on another session ${what}`;
    this.#first.fail([breach("LOOP-120", message, received === undefined ? {} : { received })]);
  }

  #openModel(): RunParams["model"] {
    const { variant, codec, server, apiKey } = this.#first.input;
    if (variant.seam === "generic") return { seam: "generic" };
    const { seam, transport } = variant;
    const onRequest = async (_: unknown, generic: GenericRequest): Promise<WireReply> => {
      this.#checkRequest(generic);
      await this.#firstEnded.promise;
      return { response: this.#response };
    };
    const onBreach = () => this.#fail("makes a request that the provider refuses");
    const { baseUrl } = server!.open(this.#run, { codec: codec!, transport, onRequest, onBreach });
    return { seam, transport, base_url: baseUrl, api_key: apiKey, model: replayModel };
  }

  /** What its model answers. */
  get #response(): ScriptedResponse {
    const { driver, variant } = this.#first.input;
    const usage = {
      input_tokens: 211,
      output_tokens: 7,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
    };
    const model = modelOf(driver, variant.seam);
    return { parts: [{ text: answer }], stop_reason: "end_turn", usage, model, id: this.#run };
  }
}

const answer = "Noted beside.";
