// The world of a scripted run: its model, tools, clock, ids and randomness. Every interaction of the loop with it is a numbered moment.

import { setImmediate as macrotask } from "node:timers/promises";

import { virtualClock, type Clock } from "../support/clock.ts";
import type { ModelCall, Provider } from "../core/ports.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import type { StopCondition } from "../plugins/turns/stop-conditions.ts";
import type { Message, ModelRequest, ModelResponse, Usage } from "../../schemas/types.ts";
import { grown, piecesOf } from "./pieces.ts";
import type { Answer, Scenario } from "./scenario.ts";
import { toolsOf, type Execution } from "./scripted-tools.ts";

/** One request to the model, and its usage if it was answered before a cancel. */
export interface Asked {
  request: ModelRequest;
  json: string;
  moment: number;
  answered?: Usage;
  /** Whether the answer could reach the loop before a cancel. */
  isDelivered?: boolean;
}

export interface Person {
  cancel(): void;
  stop(): void;
  steer(content: string): void;
}

const DONE: Answer = { stop_reason: "end_turn", said: [{ role: "assistant", content: "Done." }] };

export class World {
  readonly scenario: Scenario;
  readonly asked: Asked[] = [];
  readonly executions: Execution[] = [];
  /** The label of each moment; its tick is in `ticks`. */
  readonly labels: string[] = [];
  readonly ticks: number[] = [];
  readonly clock: Clock;
  readonly tools: DefinedTool[];
  readonly provider: Provider = { name: "scripted", invokeModel: (request, call) => this.#answer(request, call) };
  readonly conditions: StopCondition[];
  /** The signals that the model received. */
  readonly signals = new Set<AbortSignal>();
  person: Person | undefined;
  /** Turns of the event loop so far. */
  tick = 0;
  /** The moment of the first cancel. */
  cancelled: number | undefined;
  readonly #time = virtualClock(1_000);
  readonly #due = new Set<{ at: number; ofLoop: boolean }>();
  readonly #script: Answer[];
  #ids = 0;
  #chances = 0;
  #conditions = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.#script = [...scenario.answers];
    this.tools = toolsOf(this);
    this.clock = {
      now: () => this.#around("clock.now", () => this.#time.now()),
      sleep: (ms, signal) => this.#around("clock.sleep", () => this.#sleep(ms, signal, true)),
    };
    const { condition } = scenario;
    this.conditions = condition ? [{ name: "own", holds: () => this.#holds(condition) }] : [];
  }

  /** Counts a moment, at which the user may act. */
  moment(label: string): void {
    const at = this.labels.push(label) - 1;
    this.ticks.push(this.tick);
    for (const act of this.scenario.acts) if (act.at === at) this.#act(act.does);
  }

  /** The next number of a fixed sequence between 0 and 1. */
  random(): number {
    return this.#around("random", () => ((this.#chances += 1) * 0.37) % 1);
  }

  newId(): string {
    return this.#around("newId", () => `made_${(this.#ids += 1)}`);
  }

  /** The number of pending timers of the loop, and of its tools and model. */
  sleepers(): { ofLoop: number; others: number } {
    const ofLoop = [...this.#due].filter((due) => due.ofLoop).length;
    return { ofLoop, others: this.#due.size - ofLoop };
  }

  /** Moves the clock to the next timer; false if there is none. */
  advance(): boolean {
    if (this.#due.size === 0) return false;
    this.#time.advance(Math.max(0, Math.min(...[...this.#due].map(({ at }) => at)) - this.#time.now()));
    return true;
  }

  /** Runs everything that does not wait for the clock. */
  async turn(): Promise<void> {
    await macrotask();
    this.tick += 1;
  }

  /** The sleep of tools and model. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#sleep(ms, signal, false);
  }

  #act(does: "cancel" | "stop" | "steer"): void {
    if (!this.person) return;
    if (does === "cancel") this.cancelled ??= this.labels.length - 1;
    if (does === "steer") this.person.steer("And then?");
    else this.person[does]();
  }

  #around<T>(label: string, port: () => T): T {
    this.moment(`before ${label}`);
    const value = port();
    this.moment(`after ${label}`);
    return value;
  }

  #holds({ holdsAt, throwsAt }: NonNullable<Scenario["condition"]>): boolean {
    const n = (this.#conditions += 1);
    return this.#around("condition", () => {
      if (n === throwsAt) throw new Error("the condition broke");
      return n === holdsAt;
    });
  }

  async #sleep(ms: number, signal: AbortSignal | undefined, ofLoop: boolean): Promise<void> {
    if (signal?.aborted) return new Promise(() => {});
    const due = { at: this.#time.now() + ms, ofLoop };
    const forget = () => this.#due.delete(due);
    this.#due.add(due);
    signal?.addEventListener("abort", forget, { once: true });
    const waiting = this.#time.sleep(ms, signal);
    if (ofLoop) this.moment("while clock.sleep");
    await waiting;
    forget();
    signal?.removeEventListener("abort", forget);
    if (ofLoop) this.moment("woken by clock.sleep");
  }

  async #answer(request: ModelRequest, call: ModelCall): Promise<ModelResponse> {
    const entry: Asked = { request, json: JSON.stringify(request), moment: this.labels.length };
    this.asked.push(entry);
    this.signals.add(call.signal);
    this.moment("before invokeModel");
    const answer = this.#script.shift() ?? DONE;
    const response = await this.#speak(answer, call);
    this.moment("after invokeModel");
    // A call that failed without output costs nothing.
    const isBare = response.error !== undefined && response.messages.length === 0;
    if (answer.uncounted || isBare || call.signal.aborted) return response;
    entry.answered = usageOf(this.asked.length);
    void this.#handOver(entry, call.signal);
    return { ...response, usage: entry.answered };
  }

  /** An answer takes a few microtasks to arrive; a cancel may overtake it. */
  async #handOver(entry: Asked, signal: AbortSignal): Promise<void> {
    for (let hops = 0; hops < 20; hops += 1) await Promise.resolve();
    entry.isDelivered = !signal.aborted;
  }

  async #speak(answer: Answer, call: ModelCall): Promise<ModelResponse> {
    const { stop_reason, said, ms = 0, fails, deaf } = answer;
    const given = { provider: "scripted", model: "m" };
    const isOver = () => !deaf && call.signal.aborted;
    await Promise.resolve();
    this.moment("during invokeModel");
    if (ms > 0) await this.#pass(ms, deaf ? undefined : call.signal);
    if (answer.throws) throw new Error("the provider broke");
    if (isOver()) return lost([]);
    if (fails) return { ...given, messages: [], stop_reason: "error", error: { message: "failed", ...fails } };
    const partial: Message[] = [];
    if (answer.piece !== undefined) {
      let pieces = 0;
      for (const event of piecesOf(said, answer.piece, answer.interleaved === true)) {
        if (pieces === answer.breaks) return { ...given, ...lost(partial) };
        pieces += 1;
        partial[event.index] =
          event.type === "message_delta" ? grown(partial[event.index]!, event.delta) : event.message;
        call.onStream(event);
        this.moment(`after ${event.type} of invokeModel`);
        await (answer.between ? this.#pass(answer.between, deaf ? undefined : call.signal) : Promise.resolve());
        if (isOver()) return lost(partial);
      }
    }
    const failed = stop_reason === "error" || stop_reason === "interrupted";
    const error = { kind: "server_error", message: "broken", should_retry: false } as const;
    return { ...given, messages: structuredClone(said), stop_reason, ...(failed && { error }) };
  }

  /** Sleeps until the time is over or the signal aborts. */
  #pass(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const over = () => resolve();
      signal?.addEventListener("abort", over, { once: true });
      void this.wait(ms, signal).then(() => {
        signal?.removeEventListener("abort", over);
        resolve();
      });
    });
  }
}

function usageOf(n: number): Usage {
  const unknown = { cache_read_tokens: null, cache_write_tokens: n % 2 ? 1 : null, reasoning_tokens: null };
  return { input_tokens: 10 + n, output_tokens: 3, ...unknown };
}

function lost(partial: Message[]): ModelResponse {
  const error = { kind: "stream_interrupted", message: "the stream was lost" } as const;
  return { messages: structuredClone(Object.values(partial)), stop_reason: "interrupted", error };
}
