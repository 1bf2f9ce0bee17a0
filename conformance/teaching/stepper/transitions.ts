// What is walked through: the transitions of a run, each with what was decided in it, what was sent and what came back.

import type { LoopError, LoopEvent, Message, Phase, StopReason, Usage } from "../../../schemas/types.ts";
import { rebuildSession } from "../../kit/observed/session-from-events.ts";
import { cutAtTransitions } from "./cut.ts";
import type { Cut } from "./cut.ts";
import { factsOf } from "./facts.ts";
import { explain } from "./explain.ts";
import type { Decided } from "./explain.ts";
import type { Known, Trace } from "./trace.ts";

/** Where a run stands between two transitions: as much of its state as a person needs to see. */
export interface Standing {
  phase: Phase;
  agent: string;
  /** Turns begun. */
  turn: number;
  /** In the session. */
  messages: number;
  /** Calls without a result. */
  open: number;
}

/** What went to the model, or to the tools. */
export interface Sent {
  /** Without those that went out before. */
  messages: Message[];
  /** How many went out before, and again now. */
  repeated: number;
  instructions?: string;
  /** The names of the tools, where the run said them when it began. */
  tools?: string[];
  model?: string;
  /** As they were asked, where that was kept. */
  requests?: unknown[];
}

/** What the model, or the tools, answered. */
export interface Received {
  messages: Message[];
  stop_reason?: StopReason;
  raw_stop_reason?: string | null;
  usage?: Usage;
  error?: LoopError;
}

/** One transition of the state machine. */
export interface Transition {
  /** Counted from 1. */
  index: number;
  from: Standing;
  to: Standing;
  /** Nothing is known of what comes next: the events end in the middle of it. */
  isUnfinished?: true;
  decided: Decided[];
  sent?: Sent;
  received?: Received;
  /** What the session has more, what was received included. */
  appended: Message[];
  events: LoopEvent[];
}

/** Every transition of a trace, in order. Changes nothing of it. */
export function transitionsOf(trace: Trace): Transition[] {
  const cuts = cutAtTransitions(trace.events, trace);
  const reader = new Reader(trace);
  return cuts.map((cut, at) => reader.read(cut, cuts[at + 1]));
}

const noResponse: Pick<Known, "response" | "calls" | "stop_reason"> = {
  response: [],
  calls: [],
  stop_reason: undefined,
};

class Reader {
  readonly #known: Known;
  #standing: Standing = { phase: "turn_boundary", agent: "", turn: 0, messages: 0, open: 0 };
  #index = 0;
  #session: string | undefined;
  /** What the last request had. */
  #sent: Message[] = [];
  #modelCalls = 0;

  constructor(trace: Trace) {
    this.#known = { trace, messages: [...trace.before], tools: [], ...noResponse };
  }

  read(cut: Cut, next: Cut | undefined): Transition {
    const { events } = cut;
    const start = events.find((event) => event.type === "run_start");
    if (start) this.#open(start.session_id);
    const from = this.#from(cut, start);
    const sent = this.#sentIn(cut);
    const appended = events.flatMap((event) => {
      if (event.type === "message") return [event.message];
      return event.type === "compaction" || event.type === "amendment" ? event.messages : [];
    });
    const received = receivedIn(cut);
    this.#take(cut, received);
    const decided = explain(cut, factsOf(cut, next, this.#known));
    const to = this.#to(cut);
    this.#standing = to;
    this.#index += 1;
    return {
      index: this.#index,
      from,
      to,
      ...(cut.isOpen && { isUnfinished: true }),
      decided,
      ...(sent && { sent }),
      ...(received && { received }),
      appended,
      events,
    };
  }

  /** Of another session nothing is known. */
  #open(session: string): void {
    if (this.#session !== undefined && this.#session !== session) this.#known.messages = [];
    this.#session = session;
  }

  /** A run that is not resumed begins anew. */
  #from({ from: phase }: Cut, start: Extract<LoopEvent, { type: "run_start" }> | undefined): Standing {
    const { agent, turn, ...rest } = this.#standing;
    const begins = start !== undefined && start.resumed !== true;
    const messages = this.#known.messages.length;
    return { ...rest, phase, messages, agent: start?.agent ?? agent, turn: begins ? 0 : turn };
  }

  #to({ from, to: phase, events }: Cut): Standing {
    const { messages, calls } = this.#known;
    const answered = new Set(messages.flatMap((message) => (message.type === "tool_result" ? [message.id] : [])));
    const start = events.find((event) => event.type === "run_start");
    const handoff = events.find((event) => event.type === "handoff");
    const turnStart = events.findLast((event) => event.type === "turn_start");
    const end = events.findLast((event) => event.type === "run_end");
    const begun = start && start.resumed !== true ? 0 : this.#standing.turn;
    const isNew = from === "turn_boundary" && phase === "calling_model";
    return {
      phase,
      agent: handoff?.to ?? start?.agent ?? this.#standing.agent,
      turn: end?.result.turns ?? turnStart?.turn ?? begun + (isNew ? 1 : 0),
      messages: messages.length,
      open: calls.filter(({ id }) => !answered.has(id)).length,
    };
  }

  #sentIn({ from, events }: Cut): Sent | undefined {
    if (from === "executing") {
      const calls = events.flatMap((event): Message[] =>
        event.type === "tool_start" ? [{ type: "tool_call", id: event.id, name: event.name, input: event.input }] : [],
      );
      return calls.length === 0 ? undefined : { messages: calls, repeated: 0 };
    }
    const start = events.find((event) => event.type === "model_start");
    if (!start) return undefined;
    const { instructions, requests } = this.#known.trace;
    const { tools } = this.#known;
    const messages = this.#known.messages.filter(
      (message) => !("status" in message) || message.status !== "incomplete",
    );
    const differs = messages.findIndex((message, at) => message !== this.#sent[at]);
    const repeated = differs < 0 ? messages.length : differs;
    this.#sent = messages;
    const recorded = requests?.[this.#modelCalls];
    this.#modelCalls += 1;
    return {
      messages: messages.slice(repeated),
      repeated,
      ...(instructions !== undefined && { instructions }),
      ...(tools.length > 0 && { tools }),
      ...(start.model !== undefined && { model: start.model }),
      ...(recorded && { requests: recorded }),
    };
  }

  /** What is known after it. */
  #take({ from, events }: Cut, received: Received | undefined): void {
    const known = this.#known;
    for (const event of events) {
      if (event.type === "run_start") known.tools = event.tools ?? [];
      if (event.type === "run_start" && !event.resumed) Object.assign(known, noResponse);
      if (event.type === "handoff") known.tools = [];
    }
    const session = { spec_version: "", id: "", messages: known.messages };
    known.messages = rebuildSession(session, events).messages;
    if (from !== "calling_model" || !received) return;
    known.response = received.messages;
    known.calls = received.messages.filter((message) => message.type === "tool_call");
    known.stop_reason = received.stop_reason;
  }
}

function receivedIn({ from, events }: Cut): Received | undefined {
  const messages = events.flatMap((event) => (event.type === "message" ? [event.message] : []));
  if (from === "executing") return messages.length === 0 ? undefined : { messages };
  const end = events.find((event) => event.type === "model_end");
  if (!end) return undefined;
  const { stop_reason, raw_stop_reason, usage, error } = end;
  return {
    messages,
    stop_reason,
    ...(raw_stop_reason !== undefined && { raw_stop_reason }),
    ...(usage && { usage }),
    ...(error && { error }),
  };
}
