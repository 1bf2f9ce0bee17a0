// A case while it is put together: the turns that the model takes, and what is laid upon them.

import type { Action, Agent, Case, Handler, ModelEntry, ScriptedPart, Tool, Usage } from "../../../schemas/types.ts";
import { seeded } from "../../kit/base/seeded-random.ts";

/** Chooses, the same for the same seed. */
export class Choice {
  readonly #random: () => number;

  constructor(seed: number, name: string) {
    this.#random = seeded(seed, name);
  }

  /** One of them, each as likely as the others. */
  of<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)]!;
  }

  /** A whole number from `least` to `most`. */
  from(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  /** True as often as `share` says, from 0 to 1. */
  happens(share: number): boolean {
    return this.#random() < share;
  }

  /** So many of them, in their order. */
  some<Value>(values: readonly Value[], count: number): Value[] {
    const left = [...values.keys()];
    const taken = new Set<number>();
    while (taken.size < Math.min(count, values.length)) taken.add(left.splice(this.from(0, left.length - 1), 1)[0]!);
    return values.filter((_, index) => taken.has(index));
  }
}

/** One turn of the run: what comes before its response, the response, and what is asked again behind it. */
export interface Turn {
  before: ModelEntry[];
  parts: ScriptedPart[];
  stopReason?: ModelEntry["stop_reason"];
  usage?: Usage;
  behind: ModelEntry[];
}

/** What the ingredients of a case add to. */
export interface Draft {
  choose: Choice;
  features: Set<string>;
  given: Omit<Case["given"], "messages" | "agents" | "agent">;
  options: Record<string, unknown>;
  /** The agent that the run begins with is `first`; they share their tools. */
  agents: Record<string, Agent>;
  tools: Tool[];
  handlers: Record<string, Handler>;
  turns: Turn[];
  /** What subagents are answered. */
  inside: ModelEntry[];
  actions: Action[];
  next: string[];
}

/** How many tokens a response takes where nothing else is said: the same for each, so that sums can be told. */
export function tokens(input: number | null, output: number | null): Usage {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
  };
}

/** A run of some turns with ordinary calls, and a text at its end. */
export function plainDraft(choose: Choice): Draft {
  const object = { type: "object" as const };
  const draft: Draft = {
    choose,
    features: new Set(),
    given: {},
    options: {},
    agents: { first: { name: "first", instructions: "You are {{first}}.", model: "model-one" } },
    tools: [
      { name: "look", input_schema: object, annotations: { read_only: true } },
      {
        name: "write",
        input_schema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
      },
    ],
    handlers: { look: { output: "{{seen}}" }, write: { output: "{{written}}" } },
    turns: [],
    inside: [],
    actions: [],
    next: [],
  };
  const count = choose.from(1, 3);
  for (let turn = 0; turn < count; turn += 1) {
    const parts: ScriptedPart[] = [];
    if (choose.happens(0.3)) parts.push({ text: `Step ${turn + 1}.` });
    const calls = choose.from(1, 2);
    for (let call = 0; call < calls; call += 1)
      parts.push(choose.happens(0.5) ? callOf(draft, "look") : writing(draft));
    draft.turns.push({ before: [], parts, behind: [] });
  }
  draft.turns.push({ before: [], parts: [{ text: "{{done}}." }], behind: [] });
  return draft;
}

/** A call of a tool, with an id of its own. */
export function callOf(draft: Draft, name: string, input: Record<string, unknown> = {}): ScriptedPart {
  ids.set(draft, (ids.get(draft) ?? 0) + 1);
  return { tool_call: { id: `$c${ids.get(draft)}`, name, input } };
}

const ids = new WeakMap<Draft, number>();

/** A call with arguments that fit. */
export function writing(draft: Draft): ScriptedPart {
  return callOf(draft, "write", { to: "{{place}}" });
}

/** A turn that calls tools; the last one does not. */
export function workingTurn(draft: Draft): Turn {
  const working = draft.turns.filter(({ parts }) => parts.some((part) => part.tool_call));
  return working.length > 0 ? draft.choose.of(working) : draft.turns[0]!;
}

/** Any turn. */
export function anyTurn(draft: Draft): Turn {
  return draft.choose.of(draft.turns);
}

/** Puts a call at the beginning or at the end of a turn that calls tools. */
export function addCall(draft: Draft, part: ScriptedPart): Turn {
  const turn = workingTurn(draft);
  const at = turn.parts.findIndex((one) => one.tool_call);
  if (draft.choose.happens(0.5) || at < 0) turn.parts.push(part);
  else turn.parts.splice(at, 0, part);
  return turn;
}

/** Adds a tool and what it does. */
export function addTool(draft: Draft, tool: Tool, handler?: Handler): void {
  draft.tools.push(tool);
  if (handler) draft.handlers[tool.name] = handler;
}
