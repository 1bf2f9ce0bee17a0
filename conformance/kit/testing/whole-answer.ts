// What a loop of the tests returns when its run is over: the session, and a result that is summed from the steps.

import type { RunResponse, RunResult, Snapshot, Usage } from "../../../schemas/types.ts";

/** @param more what the result says otherwise, or beside that: it is of a run that was completed */
export function wholeAnswer({ session, turn, agent, steps }: Snapshot, more: Partial<RunResult> = {}): RunResponse {
  const last = steps.at(-1)!;
  const final = session.messages.at(-1)!;
  const usage = steps.map((step) => step.usage).reduce(sumOf);
  return {
    session,
    result: {
      status: "completed",
      turns: turn,
      tool_calls: steps.reduce((sum, { tool_calls }) => sum + tool_calls, 0),
      agent,
      final_text: "content" in final && typeof final.content === "string" ? final.content : "",
      stop_reason: last.stop_reason,
      raw_stop_reason: last.raw_stop_reason,
      usage,
      usage_by_model: { [last.model!]: usage },
      steps,
      ...more,
    },
  };
}

function sumOf(left: Usage, right: Usage): Usage {
  const of = (field: keyof Usage) =>
    left[field] === null && right[field] === null ? null : (left[field] ?? 0) + (right[field] ?? 0);
  return Object.fromEntries(Object.keys(left).map((field) => [field, of(field as keyof Usage)])) as unknown as Usage;
}
