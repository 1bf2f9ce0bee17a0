// Judges the calls of a batch again that another process, or the caller, decided to execute.

import type { CallDecision } from "../../schemas/types.ts";
import { unknownToolText } from "../core/execute-tool-calls.ts";
import type { ExecutableCall, Ports, State } from "../core/ports.ts";
import { lastCalls, syntheticResult } from "../core/session.ts";
import type { ReviewTime } from "../plugins/plugin.ts";
import type { Folded } from "../state/journal-records.ts";
import { reviewed, type Onion } from "./compose.ts";

/**
 * The state with the decisions as this run would make them: what it denies, or has no tool for any more, is not executed, and what
 * needs an approval that nobody gave suspends it again. A call that was executed, or whose subagent waits, keeps its decision.
 * @param ports with the tools that there are now
 * @param folded what the journal says, if the process of the run ended
 * @see PERMISSION-27 PERMISSION-28 HOOK-18 JOURNAL-20 TOOL-9
 */
export async function judgedAgain(
  onion: Onion,
  state: State,
  ports: Pick<Ports, "agents">,
  when: ReviewTime,
  folded?: Folded,
): Promise<State> {
  if (state.phase !== "executing") return state;
  const tools = ports.agents[state.agent]?.tools ?? [];
  const review = async (call: ExecutableCall, decision: CallDecision): Promise<CallDecision> => {
    if (decision.do !== "run" || tools.some(({ name }) => name === call.name))
      return await reviewed(onion, call, decision, state, when);
    return { do: "answer", result: syntheticResult(call, "unknown_tool", unknownToolText(call.name, tools)) };
  };
  const decisions: CallDecision[] = [];
  for (const [i, { id, name, input }] of lastCalls(state).entries()) {
    const decision = state.decisions[i]!;
    const isKept = folded?.finished.has(id) || state.unfinished?.[id] !== undefined;
    const call = { id, name, input: input ?? {} };
    const verdict = isKept ? decision : await review(call, decision);
    const isStopped = verdict.do !== "run" && decision.do === "run" && folded?.started.has(id);
    decisions.push(isStopped ? { do: "answer", result: syntheticResult(call, "interrupted", STOPPED) } : verdict);
  }
  if (decisions.every((one, i) => one === state.decisions[i])) return state;
  const isHeld = decisions.some((one, i) => one.do === "ask" && state.decisions[i]!.do === "run");
  const judged = { ...state, decisions };
  return isHeld && state.options.approval_batch !== "eager"
    ? { ...judged, phase: "suspended", ending: { status: "suspended" } }
    : judged;
}

const STOPPED =
  "The process ended while this tool was running, and it may not be started again. What it did until then may have had effects.";
