// Cuts the events of a run where its state machine went from one state to the next: the event grammar defines where.

import { stopTable } from "../../../reference/core/stop-table.ts";
import type { LoopEvent, Message, Outcome, Phase, RunOptions, RunResult, StopReason } from "../../../schemas/types.ts";

/** The events of one transition. The one to `calling_model` may have none. */
export interface Cut {
  from: Phase;
  to: Phase;
  events: LoopEvent[];
  /** The events end before the transition does; `to` is where it began. */
  isOpen?: true;
}

/**
 * The transitions of a run, or of several, one after another. What was appended between two turns at several points of the loop
 * stands in one, and a cancel takes the shortest way: events do not distinguish these.
 * @param known what decides between two with the same events, as far as it is known: the options, and where the last run stands
 * @see EVENT-4
 */
export function cutAtTransitions(
  events: readonly LoopEvent[],
  { options, reached }: { options?: RunOptions; reached?: Phase } = {},
): Cut[] {
  return new Cutter(events, options?.approval_batch === "eager").cut(reached);
}

class Cutter {
  readonly #events: readonly LoopEvent[];
  /** Whether a batch is begun although calls of it wait. */
  readonly #isEager: boolean;
  readonly #cuts: Cut[] = [];
  #at = 0;
  #phase: Phase = "turn_boundary";
  /** The events of the transition that is being read. */
  #taken: LoopEvent[] = [];
  #stopReason: StopReason = "end_turn";
  #hasCalls = false;

  constructor(events: readonly LoopEvent[], isEager: boolean) {
    this.#events = events;
    this.#isEager = isEager;
  }

  cut(reached: Phase | undefined): Cut[] {
    while (this.#next) this.#readOne();
    if (reached !== undefined && reached !== this.#phase) this.#end(reached);
    this.#breakOff();
    return this.#cuts;
  }

  get #next(): LoopEvent | undefined {
    return this.#events[this.#at];
  }

  #readOne(): void {
    if (this.#next?.type === "run_start") return this.#begin();
    switch (this.#phase) {
      case "turn_boundary":
        return this.#crossBoundary();
      case "calling_model":
        return this.#callModel();
      case "deciding":
        return this.#decide();
      case "executing":
        return this.#execute();
      default:
        return this.#take(); // no event follows the end
    }
  }

  /** A run begins, is resumed, or is recovered where its process ended. */
  #begin(): void {
    const isKilled = this.#at > 0 && this.#phase !== "suspended";
    this.#breakOff();
    const turn = this.#ahead(({ type }) => type === "turn_start" || type === "run_end");
    const isInTurn = turn?.type === "turn_start" && turn.resumed === true;
    this.#phase = isInTurn ? (isKilled ? "executing" : "suspended") : "turn_boundary";
    this.#take();
    if (isInTurn && this.#takeUntil("turn_start") && !isKilled) this.#end("executing");
  }

  /** The transition that was being read has no more events. */
  #breakOff(): void {
    if (this.#taken.length === 0) return;
    this.#cuts.push({ from: this.#phase, to: this.#phase, events: this.#taken, isOpen: true });
    this.#taken = [];
  }

  #crossBoundary(): void {
    this.#takeWhile(isAside);
    const next = this.#next;
    if (!next) return;
    if (isChange(next)) {
      this.#takeWhile((event) => isChange(event) || isAside(event));
      return this.#end("turn_boundary");
    }
    if (next.type === "turn_start") return this.#end("calling_model");
    if (this.#takeUntil("run_end")) this.#end("done");
  }

  #callModel(): void {
    this.#takeWhile(({ type }) => type !== "model_end" && type !== "turn_end");
    const end = this.#next;
    if (!end) return;
    if (end.type !== "model_end") return this.#endRun("done");
    this.#take();
    const messages: Message[] = [];
    for (let next = this.#next; next?.type === "message" && isOfModel(next.message); next = this.#next) {
      messages.push(next.message);
      this.#take();
    }
    this.#stopReason = end.stop_reason;
    this.#hasCalls = messages.some(({ type }) => type === "tool_call");
    this.#end("deciding");
  }

  #decide(): void {
    this.#takeWhile(isAside);
    if (!this.#next) return;
    const row = stopTable[this.#stopReason][this.#hasCalls ? "calls" : "no_calls"];
    if (row.do === "execute" && (this.#isExecuted() || this.#isBegun())) return this.#end("executing");
    if (!this.#takeUntil("turn_end")) return;
    const result = this.#resultNow();
    if (result?.status === "suspended") return this.#endRun("suspended");
    const isOver = row.do === "fail" || row.do === "execute" || result?.status === "cancelled";
    return result && isOver ? this.#endRun("done") : this.#end("turn_boundary");
  }

  /** Whether the batch came as far as to be executed: a cancel and a suspension before that leave no trace of it. */
  #isExecuted(): boolean {
    const first = this.#ahead(
      (event) =>
        event.type === "tool_start" || event.type === "turn_end" || isResult(event, (it) => it !== "cancelled"),
    );
    return first !== undefined && first.type !== "turn_end";
  }

  /** Whether it was begun, and every call of it waits. */
  #isBegun(): boolean {
    const end = this.#ahead(({ type }) => type === "run_end" || type === "model_start");
    return this.#isEager && end?.type === "run_end" && end.result.status === "suspended";
  }

  #execute(): void {
    if (!this.#takeUntil("turn_end")) return;
    const result = this.#resultNow();
    if (result?.status === "suspended") this.#endRun("suspended");
    else if (result && endsAfterBatch(result)) this.#endRun("done");
    else this.#end("turn_boundary");
  }

  /** The result, if no other event precedes it. */
  #resultNow(): RunResult | undefined {
    const next = this.#ahead((event) => !isAside(event));
    return next?.type === "run_end" ? next.result : undefined;
  }

  /** The first event of the run that is not taken yet, and of which the test is true. */
  #ahead(test: (event: LoopEvent) => boolean): LoopEvent | undefined {
    for (let at = this.#at; at < this.#events.length; at += 1) {
      const event = this.#events[at]!;
      if (event.type === "run_start" && at > this.#at) return undefined;
      if (test(event)) return event;
    }
    return undefined;
  }

  #endRun(phase: Phase): void {
    if (this.#takeUntil("run_end")) this.#end(phase);
  }

  #end(to: Phase): void {
    this.#cuts.push({ from: this.#phase, to, events: this.#taken });
    this.#taken = [];
    this.#phase = to;
  }

  #take(): void {
    this.#taken.push(this.#next!);
    this.#at += 1;
  }

  /** Takes events, but never those of the next run. */
  #takeWhile(test: (event: LoopEvent) => boolean): void {
    while (this.#next && this.#next.type !== "run_start" && test(this.#next)) this.#take();
  }

  /** Takes the first event of a type, and what comes before it. False if there is none. */
  #takeUntil(type: LoopEvent["type"]): boolean {
    this.#takeWhile((event) => event.type !== type);
    if (this.#next?.type !== type) return false;
    this.#take();
    return true;
  }
}

function isResult(event: LoopEvent, test: (outcome: Outcome | undefined) => boolean): boolean {
  return event.type === "message" && event.message.type === "tool_result" && test(event.message.outcome);
}

/** What may stand anywhere, and changes no state. */
function isAside({ type }: LoopEvent): boolean {
  return type === "warning" || type === "tool_late_result";
}

/** What changes the state between two turns. */
function isChange({ type }: LoopEvent): boolean {
  return type === "message" || type === "compaction" || type === "amendment" || type === "switch_model";
}

function isOfModel({ role, type }: Message): boolean {
  return type === undefined ? role === "assistant" : type !== "tool_result";
}

/** A run that ends with its batch; every other one ends between two turns. */
function endsAfterBatch({ status, error, stop_condition }: RunResult): boolean {
  if (status === "error") return error?.kind === "tool_fatal" || error?.kind === "internal";
  if (status === "stopped") return stop_condition !== "requested";
  return status === "cancelled" || status === "guardrail" || status === "structured_output_failed";
}
