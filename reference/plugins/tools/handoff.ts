// A tool hands the run over to another agent, or to none.

import type { Executed, Ports } from "../../core/ports.ts";
import { resultText, syntheticResult } from "../../core/session.ts";
import type { Outcome } from "../../../schemas/types.ts";
import type { Plugin, Settle } from "../plugin.ts";

export const handoff: Plugin = {
  name: "handoff",
  attach: ({ emit, agents: { given } }) => ({
    aroundBatch: (next) => async (calls, run, state) => oneHandoff(await next(calls, run, state), given),
    afterRequest: handOver(emit),
  }),
};

/**
 * Accepts one handoff per batch, the first in call order; the others are answered `skipped`, and those to an unknown agent
 * `error`. The handoff of a failed tool is ignored.
 * @see LOOP-67 LOOP-68 LOOP-70
 */
function oneHandoff(executed: Executed[], agents: Record<string, unknown>): Executed[] {
  if (!executed.some(handsOver)) return executed;
  const valid = executed.filter((one) => handsOver(one) && !one.result.is_error);
  const first = valid.find(({ handoff }) => handoff === null || Object.hasOwn(agents, handoff!));
  return executed.map((one) => {
    if (one.handoff === undefined || one === first) return one;
    if (!valid.includes(one)) return withoutHandoff(one);
    return one.handoff === null || Object.hasOwn(agents, one.handoff)
      ? answered(one, "skipped", resultText("second_handoff"))
      : answered(one, "error", unknownAgentText(one.handoff, agents));
  });
}

/**
 * Makes the agent of the handoff the active one, or ends the run if there is none.
 * @see LOOP-67 LOOP-69 EVENT-16
 */
function handOver(emit: Ports["emit"]): Settle {
  return (executed, { turn, agent }) => {
    const to = executed.find(handsOver)?.handoff;
    if (to === undefined) return undefined;
    emit({ type: "handoff", turn, from: agent, to });
    return to === null ? { ending: { status: "stopped", stop_condition: "no_active_agent" } } : { by: { agent: to } };
  };
}

function handsOver({ handoff }: Executed): boolean {
  return handoff !== undefined;
}

function answered(one: Executed, outcome: Outcome, output: string): Executed {
  return { ...withoutHandoff(one), result: syntheticResult(one.result, outcome, output) };
}

function withoutHandoff({ handoff: _, ...one }: Executed): Executed {
  return one;
}

function unknownAgentText(name: string, agents: Record<string, unknown>): string {
  return resultText("unknown_agent", { name: JSON.stringify(name), agents: Object.keys(agents).join(", ") });
}
