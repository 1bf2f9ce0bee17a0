// A case while it is put together: the turns that the model takes, and what is laid upon them.

import type { Action, Agent, Case, Handler, ModelEntry, ScriptedPart, Tool, Usage } from "../../../schemas/types.ts";
import type { Choice } from "./choice.ts";

/** One turn of the run: what comes before its response, the response, and what is asked again behind it. */
export interface Turn {
  before: ModelEntry[];
  parts: ScriptedPart[];
  stopReason?: ModelEntry["stop_reason"];
  usage?: Usage;
  behind: ModelEntry[];
}

/** A call that the model makes. */
export interface CallPart {
  tool_call: { id: string; name: string; input: Record<string, unknown> };
}

/** Something that a run may have: a feature, or something that goes wrong. */
export interface Ingredient {
  name: string;
  /** What an implementation must declare to be asked for it. */
  features: readonly string[];
  /** Ingredients that say nothing beside it. */
  without?: readonly string[];
  /** It is left out on the wire, where each loop may stop reading wherever it likes. */
  generic?: true;
  add(draft: Draft): void;
}

/** What the ingredients of a case add to. */
export interface Draft {
  /** The choices of the ingredient that is being added, which no other one changes. */
  choose: Choice;
  features: Set<string>;
  given: Partial<Case["given"]>;
  options: Record<string, unknown>;
  /** The agent that the run begins with is `first`; they share their tools. */
  agents: Record<string, Agent>;
  tools: Tool[];
  handlers: Record<string, Handler>;
  turns: Turn[];
  /** How many calls have an id. */
  calls: number;
  /** What subagents are answered. */
  inside: ModelEntry[];
  actions: Action[];
  next: string[];
}

/** How many tokens a response takes where nothing else is said: the same for each, so that sums can be predicted. */
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
    calls: 0,
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
export function callOf(draft: Draft, name: string, input: Record<string, unknown> = {}): CallPart {
  draft.calls += 1;
  return { tool_call: { id: `$c${draft.calls}`, name, input } };
}

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
