// What a result counts: everything of it that is made of the steps.

import type { RunResult, Step, Usage } from "../../../../schemas/types.ts";

/** The usage of a response that says nothing of it. */
export const unknown: Usage = {
  ...{ input_tokens: null, output_tokens: null },
  ...{ cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null },
};

/**
 * The part of a result that the steps say.
 * @param answered how many of them were answered: a model that never said anything has used nothing
 */
export function countedIn(steps: Step[], agent: string, answered: number): Omit<RunResult, "status" | "final_text"> {
  const models = new Set(steps.slice(0, answered).flatMap(({ model }) => model ?? []));
  const ofModel = (name: string) => steps.filter(({ model }) => model === name).map(({ usage }) => usage);
  return {
    ...{ agent, turns: steps.length, steps },
    tool_calls: steps.reduce((total, { tool_calls }) => total + tool_calls, 0),
    stop_reason: steps.at(-1)?.stop_reason ?? null,
    raw_stop_reason: steps.at(-1)?.raw_stop_reason ?? null,
    usage: sum(steps.map(({ usage }) => usage)),
    usage_by_model: Object.fromEntries([...models].map((name) => [name, sum(ofModel(name))])),
  };
}

function sum(usages: Usage[]): Usage {
  const add = (field: keyof Usage) => {
    const known = usages.flatMap((usage) => usage[field] ?? []);
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
  };
  return Object.fromEntries(
    Object.keys(unknown).map((field) => [field, add(field as keyof Usage)]),
  ) as unknown as Usage;
}
