// Builds the `run_start` event.

import type { EventBody, State } from "../core/ports.ts";
import { counted } from "../state/counters.ts";
import type { Agent, RunLimits } from "../../schemas/types.ts";
import type { RunSetup } from "./setup.ts";

/** @see EVENT-18 EVENT-19 EVENT-20 EVENT-21 */
export function runStart(
  state: State,
  { provider, parent }: RunSetup,
  agents: Record<string, Agent>,
  resumed: boolean,
): EventBody {
  const { session, agent: name, model: switchedTo, options } = state;
  const agent = agents[name];
  const fallenBackTo = options.fallback_models?.[counted(state, "fallbacks") - 1];
  const model = fallenBackTo ?? switchedTo ?? agent?.model ?? provider.model;
  const { max_turns = 20, budget, deadline_ms, max_total_tokens, max_tool_calls, max_failed_turns } = options;
  const limits = { max_turns, budget, deadline_ms, max_total_tokens, max_tool_calls, max_failed_turns };
  return {
    type: "run_start",
    session_id: session.id,
    agent: name,
    ...(resumed && { resumed }),
    spec_version: session.spec_version,
    provider: provider.name,
    ...(model !== undefined && { model }),
    tools: (agent?.tools ?? []).map((tool) => tool.name),
    limits: Object.fromEntries(Object.entries(limits).filter(([, most]) => most != null)) as RunLimits,
    ...(parent && { parent }),
  };
}
