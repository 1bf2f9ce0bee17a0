// Says which cases a relay can play: those whose run has something to hand over, and is nothing beyond what is handed over.

import type { Case, ModelEntry } from "../../../schemas/types.ts";
import { agentsOf } from "../suite/case-agents.ts";

/** The features of which a session, a result or a snapshot has everything that the next leg needs. */
export const handedOver: readonly string[] = [
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
];

/** `true`, or why a relay cannot judge the case. @see KIT-19 */
export function relayable({ features = [], given, model, actions = [], expect }: Case): true | string {
  const own = features.find((feature) => !handedOver.includes(feature));
  if (own !== undefined) return `${own} is about a run as a whole, and a relay ends it after each turn`;
  if (expect.events !== undefined) return "it is about the events of a run, and a relay has those of several";
  const isResumed = actions.some(({ do: act }) => typeof act === "object" && act.resume !== undefined);
  if (model.filter(endsTurn).length < 2 && !isResumed) return "its run has one turn, so that nothing is handed over";
  if (given.options?.max_truncation_recoveries !== undefined || model.filter(isCutOff).length > 1)
    return "it counts the responses that were cut off in a row, and each leg begins to count anew";
  const agents = Object.values(agentsOf(given));
  if (agents.some(({ limits }) => limits !== undefined))
    return "its agents have limits of their own, which are stronger than those of a leg";
  if (given.options_on_resume?.max_turns !== undefined) return "each leg of a relay is a run of one turn";
  if (given.snapshot_on_resume !== undefined) return "it changes the snapshot, and a relay hands over what was written";
  if (given.options?.stop_when?.some((condition) => "same_call" in condition || "no_progress" in condition))
    return "it counts calls from the beginning of the run, and each leg begins to count anew";
  if (JSON.stringify(expect.wire ?? {}).includes('"prompt_cache_key"'))
    return "under which key a prefix is cached is the affair of each implementation";
  return true;
}

function endsTurn({ stop_reason }: ModelEntry): boolean {
  return stop_reason !== "pause";
}

function isCutOff({ stop_reason, respond = [] }: ModelEntry): boolean {
  const isCut = stop_reason === "max_tokens" || stop_reason === "context_window_exceeded";
  return isCut && respond.some((part) => part.tool_call !== undefined);
}
