// Performs the actions of a case in the middle of an answer: after a part or a write, while a write is held, or on a timeout.

import type { Action } from "../../../schemas/types.ts";
import type { Write } from "../wire/codec.ts";
import type { Reply } from "../wire/provider-types.ts";
import type { ScriptStep } from "../suite/script-step.ts";
import type { ModelCall } from "./scripted-model.ts";
import type { RunContext } from "./run-context.ts";

/** The moments of the answers of one run. */
export class AnswerMoments {
  readonly #run: RunContext;
  /** How many pieces the driver had reported before the kit wrote the current ones. */
  #piecesBefore = 0;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** A request has arrived: pieces that the driver reports from now on belong to its answer. */
  begin(): void {
    this.#piecesBefore = this.#run.traffic.pieces;
  }

  /**
   * Whether the loop has to give a model call up that is silent for so many milliseconds.
   * @param passed how long the run has taken by then
   * @see RETRY-13 RETRY-16 LOOP-105
   */
  isTooLong(ms: number, passed: number = this.#run.elapsedMs): boolean {
    const { model_idle_timeout_ms, model_timeout_ms, deadline_ms } = this.#run.input.filled.case.given.options ?? {};
    const longest = Math.min(model_idle_timeout_ms ?? Infinity, model_timeout_ms ?? Infinity);
    return ms >= longest || passed >= (deadline_ms ?? Infinity);
  }

  /** What happens between the parts of the answer to a request. */
  ofParts(call: ModelCall): Pick<Reply, "afterPart" | "whole"> {
    return {
      afterPart: (part) => this.#wrotePart(call, part),
      // What an action waits for goes out together, so that a sign of any of it is a sign of all.
      ...(this.#isActedIn(call) && { whole: true }),
    };
  }

  /** What happens between the writes of an answer that is given byte for byte. */
  ofWrites(
    { number }: ModelCall,
    { answer, oneByOne }: Extract<ScriptStep, { kind: "wire" }>,
  ): Pick<Reply, "beforeWrite" | "afterWrite"> {
    const isLast = (count: number) => count === answer.writes.length;
    return {
      beforeWrite: ({ hold }: Write) => (hold === undefined ? undefined : this.#held(hold)),
      afterWrite: (count) => this.#wrote(number, count, oneByOne === true && !isLast(count)),
    };
  }

  #isActedIn({ number }: ModelCall): boolean {
    const { waiting } = this.#run.actions;
    return waiting.some(({ when }) => when.request === number && (when.after_parts ?? when.after_writes) !== undefined);
  }

  async #wrotePart({ number, run }: ModelCall, part: number): Promise<void> {
    const { actions } = this.#run;
    this.#run.tick();
    const awaited = actions.waiting.filter(({ when }) => when.request === number && when.after_parts === part);
    if (awaited.length === 0) return;
    await this.#processed();
    const isCancelled = awaited.some(({ do: act }) => act === "cancel");
    const ms = elapsed(awaited);
    if (isCancelled || this.isTooLong(ms, this.#run.elapsedMs + ms)) {
      run.disturbed = true;
      // The rest of the answer is never sent, or arrives after the client has gone, so it does not count.
      run.answers.pop();
      run.expected.cutOff();
    }
    actions.sightings.parts.set(number, part);
    await this.#run.fire();
    if (isCancelled) await never();
  }

  /** `isApart` says that the driver deals with this write before it sees another; but what leads up to an action goes out together. */
  async #wrote(number: number, count: number, isApart: boolean): Promise<void> {
    const { actions, hasBarrier } = this.#run;
    this.#run.tick();
    const writes = actions.waiting.filter(({ when }) => when.request === number && when.after_writes !== undefined);
    const awaited = writes.filter(({ when }) => when.after_writes === count);
    if (hasBarrier && isApart && writes.length === 0) await this.#run.quiet.betweenWrites();
    if (awaited.length === 0) return;
    await this.#processed();
    actions.sightings.writes.set(number, count);
    await this.#run.fire();
    if (awaited.some(({ do: act }) => act === "cancel")) await never();
  }

  /** What was written has to reach the driver before the action does. */
  async #processed(): Promise<void> {
    await this.#run.quiet.processed(this.#piecesBefore);
    this.#piecesBefore = this.#run.traffic.pieces;
  }

  /** Opens when an action releases the gate, or the run has ended. */
  #held(gate: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#run.gates.wait(gate, resolve);
    this.#run.watch();
    return promise;
  }
}

/** What a request of a cancelled run is answered with: it ends when the client closes it, or the kit closes the run. */
export function never(): Promise<never> {
  return Promise.withResolvers<never>().promise;
}

/** How far actions move the clock, in milliseconds. */
function elapsed(actions: readonly Action[]): number {
  const moved = actions.map(({ do: act }) => (typeof act === "string" ? 0 : (act.advance_ms ?? 0)));
  return moved.reduce((sum, ms) => sum + ms, 0);
}
