// Plays the model of a run, on the seam on which its driver asks for it.

import type { ModelAccess, ModelInvokeParams } from "../../../schemas/types.ts";
import { AnswerMoments } from "./response-timing.ts";
import { GenericModel } from "./generic-model.ts";
import type { Reply } from "../driver/rpc.ts";
import { ScriptedModel } from "./scripted-model.ts";
import type { RunContext } from "./run-context.ts";
import { WireModel } from "./wire-model.ts";

/** The model of one run. */
export class ModelPlayer {
  readonly #run: RunContext;
  readonly #generic: GenericModel;
  readonly #wire: WireModel;
  readonly #script: ScriptedModel;

  constructor(run: RunContext) {
    const script = new ScriptedModel(run);
    this.#script = script;
    const moments = new AnswerMoments(run);
    this.#run = run;
    this.#generic = new GenericModel(run, script, moments);
    this.#wire = new WireModel(run, script, moments);
  }

  /** Where the driver finds the model. Opens the run on the provider server, if it is there. */
  open(): ModelAccess {
    const { variant } = this.#run.input;
    return variant.seam === "generic" ? { seam: "generic" } : this.#wire.open(variant);
  }

  /** Closes what `open` opened, and keeps what went over the wire. */
  close(): void {
    this.#wire.close();
  }

  /** Lets the next request be answered as the one after so many answers. */
  rewind(answers: number): void {
    this.#script.rewind(answers);
  }

  /** Answers a model call of the generic seam. */
  invoke(params: ModelInvokeParams, reply: Reply): Promise<void> {
    return this.#generic.invoke(params, reply);
  }

  /** A cancel ends the HTTP request that is open. @see CANCEL-4 */
  checkCancelledCall(): Promise<void> {
    return this.#wire.checkCancelledCall();
  }
}
