// A second run on the session of the first, started while that is under way: the driver has to refuse it.

import type { RunParams, RunResponse } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import type { DriverRequest } from "../base/protocol.ts";
import { DriverError } from "../driver/errors.ts";
import type { Reply as WireReply } from "../wire/provider-types.ts";
import type { Reply } from "../driver/rpc.ts";
import { runBeside } from "../driver/run-names.ts";
import { replayModel } from "../suite/script.ts";
import type { RunContext } from "./run-context.ts";

/** The second run of one run. @see LOOP-72 */
export class SecondRun {
  readonly #first: RunContext;
  readonly #run: string;
  #answered: Promise<void> | undefined;

  constructor(first: RunContext) {
    this.#first = first;
    this.#run = runBeside(first.input.run);
  }

  /**
   * Starts it. Does not wait for its end: a driver that lets it wait for the end of the first run would never get there.
   * @param start what the first run was started with
   */
  start(start: RunParams): void {
    const { connection } = this.#first.input;
    const params = { ...start, run: this.#run, model: this.#openModel() };
    this.#answered = connection
      .request("run", params)
      .then((response) => {
        this.#first.tick();
        const { result, session } = response as RunResponse;
        this.#first.seen.second = { ...(result && { result }), ...(session && { session }) };
      })
      .catch((error: unknown) => {
        if (!(error instanceof DriverError)) return this.#first.break(error);
        this.#first.fail([breach("DRIVER-5", `the second run has no result: ${error.message}`)]);
      });
  }

  /** Settles when the driver has answered; at once if the run was never started. */
  async end(): Promise<void> {
    await this.#answered;
  }

  /** Closes what `start` opened. */
  close(): void {
    this.#first.input.server?.close(this.#run);
  }

  /** Takes a request of the driver that names this run: there must be none, except that hooks may be called for the refusal. */
  request(method: DriverRequest, reply: Reply): void {
    if (method === "hook/fire") return reply.result({});
    if (method === "guardrail/check") return reply.result({ trip: false });
    if (method === "instructions/evaluate") return reply.result({ text: "" });
    this.#refuse(method === "tool/execute" ? "executed a tool" : "asked the model");
    if (method === "tool/execute") return reply.error("the run must not execute a tool", { thrown: true });
    reply.error("the run must not ask the model", { error: { kind: "invalid_request", message: "not expected" } });
  }

  #openModel(): RunParams["model"] {
    const { variant, codec, server, apiKey } = this.#first.input;
    if (variant.seam === "generic") return { seam: "generic" };
    const { seam, transport } = variant;
    const refused = (): WireReply => {
      this.#refuse("asked the model");
      return { fault: { kind: "invalid_request", message: "not expected", after: [] } };
    };
    const { baseUrl } = server!.open(this.#run, { codec: codec!, transport, onRequest: refused, onBreach: refused });
    return { seam, transport, base_url: baseUrl, api_key: apiKey, model: replayModel };
  }

  #refuse(did: string): void {
    this.#first.tick();
    this.#first.fail([breach("LOOP-72", `a second run on the session ${did} while the first was under way`)]);
  }
}
