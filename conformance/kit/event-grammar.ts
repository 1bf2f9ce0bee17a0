// The grammar of the events of one run as a state machine, with a sentence for each way to break it.

import type { Failure, LoopEvent } from "../../reference/types.ts";
import { breach } from "./failures.ts";

/** Where in a run the events are. */
type Phase = "before" | "run" | "turn" | "model" | "response" | "tools" | "results" | "after";

/** The grammar; see the head of spec/events.md. */
class Reader {
  phase: Phase = "before";
  turn: number | undefined;
  hadTurn = false;
  resumedTurn = false;
  hadModel = false;
  /** Messages that are being streamed, by index. */
  readonly streaming = new Set<number>();
  streamed = 0;
  readonly running = new Map<string, string>();
  readonly ended = new Set<string>();

  /** What is wrong with the next event, or undefined. */
  read(event: LoopEvent, index: number): [requirement: string, message: string] | undefined {
    if (this.phase === "after") return ["EVENT-2", `${event.type} stands after run_end`];
    if (event.seq !== index) return ["EVENT-3", `seq is ${event.seq} where ${index} follows`];
    if (this.phase === "before" && event.type !== "run_start")
      return ["EVENT-1", `the first event is ${event.type}, not run_start`];
    const outside = this.#turnProblem(event);
    return outside ?? this.#readInPlace(event);
  }

  #turnProblem(event: LoopEvent): [string, string] | undefined {
    if (!("turn" in event) || event.type === "turn_start") return undefined;
    // Warnings and late results may stand between any two events, messages before the first turn, the loop's own words between turns.
    if (event.type === "warning" || event.type === "tool_late_result") return undefined;
    const isBetween = event.type === "message" && (!this.hadTurn || event.message.role === "user");
    const expected = this.turn ?? (isBetween ? event.turn : undefined);
    if (expected === undefined) return ["EVENT-4", `${event.type} stands outside a turn`];
    if (event.turn !== expected) return ["EVENT-4", `${event.type} says turn ${event.turn} inside turn ${expected}`];
    return undefined;
  }

  #readInPlace(event: LoopEvent): [string, string] | undefined {
    switch (event.type) {
      case "run_start":
        if (this.phase !== "before") return ["EVENT-1", "run_start stands there twice"];
        this.phase = "run";
        return undefined;
      case "run_end":
        if (this.turn !== undefined) return ["EVENT-4", `run_end stands before the turn_end of turn ${this.turn}`];
        this.phase = "after";
        return undefined;
      case "turn_start":
        if (this.turn !== undefined) return ["EVENT-4", `turn ${event.turn} starts before turn ${this.turn} ended`];
        this.phase = "turn";
        this.hadTurn = true;
        this.turn = event.turn;
        this.resumedTurn = event.resumed === true;
        this.hadModel = false;
        this.streamed = 0;
        return undefined;
      case "turn_end":
        return this.#endTurn();
      case "model_start":
        if (this.resumedTurn) return ["EVENT-5", "a resumed turn has a model call"];
        if (this.hadModel) return ["EVENT-5", "a turn has two model calls; retries and continuations belong to one"];
        if (this.phase !== "turn") return ["EVENT-4", `model_start stands in the ${this.phase} part of a turn`];
        this.phase = "model";
        this.hadModel = true;
        return undefined;
      case "model_end":
        if (this.phase !== "model") return ["EVENT-5", "model_end stands without its model_start"];
        if (this.streaming.size > 0)
          return ["EVENT-6", `model_end stands before the message_end of message ${[...this.streaming].join(", ")}`];
        this.phase = "response";
        return undefined;
      case "message_start":
      case "message_delta":
      case "message_end":
        return this.#readStreamed(event);
      case "message":
        return this.#readMessage();
      case "tool_start":
        return this.#startTool(event.id, event.name);
      case "tool_end":
        if (this.running.get(event.id) !== event.name)
          return ["EVENT-8", `tool_end of ${event.name} (${event.id}) stands without its tool_start`];
        this.running.delete(event.id);
        this.ended.add(event.id);
        return undefined;
      case "tool_late_result":
        return this.ended.has(event.id)
          ? undefined
          : ["EVENT-12", `tool_late_result of ${event.name} (${event.id}) stands before its tool_end`];
      case "retry":
      case "fallback":
        return this.phase === "model" ? undefined : ["EVENT-5", `${event.type} stands outside a model call`];
      case "warning":
        return undefined;
    }
  }

  #endTurn(): [string, string] | undefined {
    if (this.turn === undefined) return ["EVENT-4", "turn_end stands without its turn_start"];
    if (this.phase === "model") return ["EVENT-5", "turn_end stands before model_end"];
    if (!this.hadModel && !this.resumedTurn) return ["EVENT-5", "a turn has no model call"];
    if (this.running.size > 0)
      return ["EVENT-8", `turn_end stands before the tool_end of ${[...this.running.values()].join(", ")}`];
    this.phase = "run";
    this.turn = undefined;
    return undefined;
  }

  #readStreamed(event: Extract<LoopEvent, { index: number }>): [string, string] | undefined {
    const { type, index } = event;
    if (this.phase !== "model") return ["EVENT-6", `${type} stands outside a model call`];
    if (type === "message_start") {
      if (index !== this.streamed)
        return ["EVENT-6", `message_start has index ${index} where ${this.streamed} follows`];
      this.streamed += 1;
      this.streaming.add(index);
      return undefined;
    }
    if (!this.streaming.has(index))
      return ["EVENT-6", `${type} of message ${index} stands without its message_start, or after its message_end`];
    if (type === "message_end") this.streaming.delete(index);
    return undefined;
  }

  #readMessage(): [string, string] | undefined {
    if (this.phase === "model") return ["EVENT-5", "a message was appended before model_end"];
    if (this.running.size > 0)
      return ["EVENT-8", `a message was appended before the tool_end of ${[...this.running.values()].join(", ")}`];
    if (this.phase === "tools") this.phase = "results";
    return undefined;
  }

  #startTool(id: string, name: string): [string, string] | undefined {
    if (this.phase === "model") return ["EVENT-5", `tool_start of ${name} stands before model_end`];
    if (this.phase === "results")
      return ["EVENT-4", `tool_start of ${name} stands after results of its batch were appended`];
    if (this.running.has(id)) return ["EVENT-8", `tool_start of ${name} (${id}) stands there twice`];
    this.phase = "tools";
    this.running.set(id, name);
    return undefined;
  }
}

/** The first breach of the grammar in the events of one run, or of one resume; empty if there is none. */
export function checkGrammar(events: readonly LoopEvent[]): Failure[] {
  if (events.length === 0)
    return [breach("EVENT-1", "no event came; a driver that cannot report events says so in reports")];
  const reader = new Reader();
  for (const [index, event] of events.entries()) {
    const problem = reader.read(event, index);
    if (!problem) continue;
    const [requirement, message] = problem;
    const around = events.slice(Math.max(0, index - 3), index + 1).map((entry) => entry.type);
    return [
      breach(requirement, `event ${index}: ${message}`, {
        path: `/events/${index}`,
        expected: "the grammar in spec/events.md",
        received: around,
      }),
    ];
  }
  if (reader.phase !== "after") return [breach("EVENT-2", `the last event is ${events.at(-1)!.type}, not run_end`)];
  return [];
}
