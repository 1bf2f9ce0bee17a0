// Says in which manner a relay can play a case: what is handed over has to have everything that the next leg needs.

import type { Case, ModelEntry } from "../../../schemas/types.ts";
import { agentsOf } from "../suite/case-agents.ts";

/**
 * What is handed over, and where. session: the session, after each turn. snapshot: the whole state, at each batch, whose tools the relay
 * executes itself. boundary: the records, after each turn, where the relay takes them from one driver for the other. journal: the
 * records, wherever the process of one driver was ended.
 */
export type Manner = "session" | "snapshot" | "boundary" | "journal";

/** The features of which a session, a result or a snapshot has everything that the next leg needs. */
const bySession: readonly string[] = [
  "external_tools",
  "approval",
  "pause",
  "context",
  "handoff",
  "tool_data",
  "settings",
  "permissions",
  "streaming",
  "final_results",
  "stop_conditions",
  "eager_batch",
  "subagents",
];
/** Those of which the snapshot has what a session does not: what is counted, and what was said of it. */
const bySnapshot: readonly string[] = [
  "pause",
  "settings",
  "streaming",
  "stop_conditions",
  "limits",
  "continuation",
  "retry",
  "fallback",
  "budget",
  "bounds",
  "tool_choice",
  "structured_output",
  "dynamic_instructions",
];
/** Why some features are not handed over. */
const reasons: Readonly<Record<string, string>> = {
  ...because("it is about two runs at the same time", "session_lock", "runs_at_once"),
  ...because("its cases are about events, and each process tells its own", "streaming", "trace", "run_metadata"),
  next_message: "it is about the conversation that one loop keeps itself",
  server_state: "it is about the conversation that a provider keeps for one loop",
  report: "it measures what one process did",
};

function because(why: string, ...features: string[]): Record<string, string> {
  return Object.fromEntries(features.map((feature) => [feature, why]));
}

/** Whether a relay can hand over what a feature is about, in one manner or another. */
export function isHandedOver(feature: string): boolean {
  return !(feature in reasons);
}

/** Why no case of a feature is handed over. */
export function whyNotHandedOver(feature: string): string {
  return reasons[feature] ?? "no case of it hands anything over";
}

/** The manner in which a relay plays a case, or why it cannot. @see KIT-19 KIT-36 */
export function mannerOf(source: Case): { manner: Manner } | { why: string } {
  const excluded = (source.features ?? []).find((feature) => !isHandedOver(feature));
  if (excluded !== undefined) return { why: whyNotHandedOver(excluded) };
  if (source.given.journal) return withReason("journal", whyNotByJournal(source));
  if (whyNotBySession(source) === undefined) return { manner: "session" };
  if (whyNotBySnapshot(source) === undefined) return { manner: "snapshot" };
  return withReason("boundary", whyNotAtAll(source));
}

function withReason(manner: Manner, why: string | undefined): { manner: Manner } | { why: string } {
  return why === undefined ? { manner } : { why };
}

/**
 * `true`, or why a relay cannot judge the case.
 * @param keepJournals whether both drivers do
 * @see KIT-19
 */
export function relayable(source: Case, keepJournals = true): true | string {
  const played = mannerOf(source);
  if ("why" in played) return played.why;
  return played.manner === "boundary" && !keepJournals
    ? "it is handed over by its journal after each turn, and not both drivers keep one"
    : true;
}

function whyNotByJournal({ given: { journal }, actions = [] }: Case): string | undefined {
  if (journal?.then === "again") return "it asks one driver twice for the same";
  const ends =
    journal?.ends === "everywhere" || actions.some(({ do: act }) => typeof act === "object" && act.end_process);
  return ends ? undefined : "no process ends in it, so that nothing is handed over";
}

/** Why a run cannot be handed over in any manner, or is about what nobody hands over. */
function whyNotAtAll({ model, actions = [], expect }: Case): string | undefined {
  if (expect.events !== undefined) return "it is about the events of a run, and a relay has those of several";
  const isResumed = actions.some(({ do: act }) => typeof act === "object" && act.resume !== undefined);
  if (model.filter(endsTurn).length < 2 && !isResumed) return "its run has one turn, so that nothing is handed over";
  return whyNotOnTheWire(expect);
}

function whyNotBySession(source: Case): string | undefined {
  const { features = [], given, model } = source;
  const own = features.find((feature) => !bySession.includes(feature));
  if (own !== undefined) return `${own} is about a run as a whole, and a session is what is left of one`;
  if (given.options?.max_truncation_recoveries !== undefined || model.filter(isCutOff).length > 1)
    return "it counts the responses that were cut off in a row, and each leg begins to count anew";
  const agents = Object.values(agentsOf(given));
  if (agents.some(({ limits }) => limits !== undefined))
    return "its agents have limits of their own, which are stronger than those of a leg";
  if (given.options_on_resume?.max_turns !== undefined) return "each leg of a relay is a run of one turn";
  if (given.snapshot_on_resume !== undefined) return "it changes the snapshot, of which a session has nothing";
  if (given.options?.stop_when?.some((condition) => "same_call" in condition || "no_progress" in condition))
    return "it counts calls from the beginning of the run, and each leg begins to count anew";
  return whyNotAtAll(source);
}

/** Its tools are executed by the relay, which takes of them what a decision can say. */
function whyNotBySnapshot({ features = [], given, model, actions = [], expect }: Case): string | undefined {
  const own = features.find((feature) => !bySnapshot.includes(feature));
  if (own !== undefined) return `a tool of ${own} does more than return an output`;
  if (expect.events !== undefined) return "it is about the events of a run, and a relay has those of several";
  if (actions.length > 0) return "it does something to a run that is under way";
  if (given.options?.execute_tools === false) return "its caller executes the tools";
  if (given.options?.permissions) return "its caller is asked about calls";
  const handlers = Object.values(given.handlers ?? {}).flatMap((one) => [one, ...(one.sequence ?? [])]);
  const more = [
    "data",
    "returns",
    "final",
    "fatal",
    "context_updates",
    "handoff",
    "metrics",
    "progress",
    "hold",
  ] as const;
  if (handlers.some((handler) => more.some((field) => handler[field] !== undefined)))
    return "a tool of it does more than return an output";
  if (!model.slice(0, -1).some(isBatch))
    return "it executes no tool before its last turn, so that nothing is handed over";
  return whyNotOnTheWire(expect);
}

function whyNotOnTheWire({ wire = {} }: Case["expect"]): string | undefined {
  if (!JSON.stringify(wire).includes('"prompt_cache_key"')) return undefined;
  return "under which key a prefix is cached is the affair of each implementation";
}

function endsTurn({ stop_reason }: ModelEntry): boolean {
  return stop_reason !== "pause";
}

function isBatch({ respond = [], stop_reason = "tool_use" }: ModelEntry): boolean {
  return ["tool_use", "end_turn"].includes(stop_reason) && respond.some((part) => part.tool_call !== undefined);
}

function isCutOff({ stop_reason, respond = [] }: ModelEntry): boolean {
  const isCut = stop_reason === "max_tokens" || stop_reason === "context_window_exceeded";
  return isCut && respond.some((part) => part.tool_call !== undefined);
}
