// The tool that the loop itself has where the output of a run is asked for by one: which requests declare it, and how it is answered.

import type { Failure, Tool, ToolResultMessage } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { Observation, ObservedRequest } from "./observation.ts";
import { toolsNow } from "./tools-now.ts";

/** The output tool of a run; a subagent has none. */
export function outputTool({ filled, path }: Observation): Tool | undefined {
  const { output_by, output_format } = filled.case.given.options ?? {};
  if (output_by !== "tool" || !output_format || path.length > 0) return undefined;
  return { name: output_format.name, input_schema: output_format.schema as Tool["input_schema"] };
}

/** The tools that are declared to the model: those of the active agent, and the output tool. */
export function offeredTools(seen: Observation): readonly Tool[] {
  const output = outputTool(seen);
  return output ? [...toolsNow(seen), output] : toolsNow(seen);
}

/**
 * Whether a request declares the output tool, behind all others.
 * @returns the other tools of the request
 * @see LOOP-84
 */
export function withoutOutputTool(
  received: ObservedRequest["tools"],
  number: number,
  seen: Observation,
): { others: ObservedRequest["tools"]; failures: Failure[] } {
  const expected = outputTool(seen);
  if (!expected) return { others: received, failures: [] };
  const [last, others] = [received.at(-1), received.slice(0, -1)];
  if (matchData([expected], [last]).length === 0) return { others, failures: [] };
  const message = `model request ${number} does not declare the output tool behind the tools of the agent`;
  const failure = breach("LOOP-84", message, { path: `/tools/${others.length}`, expected, received: last ?? null });
  return { others: received.filter(({ name }) => name !== expected.name), failures: [failure] };
}

/** The result of a call of the output tool. What is wrong with one that is not valid, the case says. @see LOOP-86 */
export function checkOutputResult({ id, is_error, outcome }: ToolResultMessage): Failure[] {
  if (outcome === "ok" && is_error !== true) return [];
  if (outcome !== undefined && outcome !== "ok" && is_error === true) return [];
  const received = { is_error, outcome };
  return [
    breach("LOOP-86", `the result of ${id}, a call of the output tool, does not have the right outcome`, { received }),
  ];
}
