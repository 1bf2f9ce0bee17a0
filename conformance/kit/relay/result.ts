// Adds the results of the legs of a relay up to the result that one run would have had.

import type { RunResult, Usage } from "../../../schemas/types.ts";

/** The result of everything up to the end of `leg`. How it ended is how the leg ended. */
export function together(before: RunResult | undefined, leg: RunResult): RunResult {
  if (!before) return leg;
  const usage_by_model = { ...before.usage_by_model };
  for (const [model, usage] of Object.entries(leg.usage_by_model))
    usage_by_model[model] = sum(usage_by_model[model], usage);
  return {
    ...leg,
    turns: before.turns + leg.turns,
    tool_calls: before.tool_calls + leg.tool_calls,
    usage: sum(before.usage, leg.usage),
    usage_by_model,
    steps: [...before.steps, ...leg.steps.map((step) => ({ ...step, turn: step.turn + before.turns }))],
  };
}

/** An unknown number counts as none, unless both are unknown. @see RESULT-4 */
function sum(left: Usage | undefined, right: Usage): Usage {
  if (!left) return right;
  const of = (field: keyof Usage) =>
    left[field] === null && right[field] === null ? null : (left[field] ?? 0) + (right[field] ?? 0);
  return {
    input_tokens: of("input_tokens"),
    output_tokens: of("output_tokens"),
    cache_read_tokens: of("cache_read_tokens"),
    cache_write_tokens: of("cache_write_tokens"),
    reasoning_tokens: of("reasoning_tokens"),
  };
}
