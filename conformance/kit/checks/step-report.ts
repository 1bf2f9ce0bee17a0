// Checks the steps of a result against what was executed in each turn.

import type { Failure, Message, Step, ToolResultMessage } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import { isMcpTool } from "../suite/mcp-tools.ts";
import type { Observation } from "../observed/observation.ts";
import { isAgentTool } from "../observed/subruns.ts";

/** @see RESULT-15 RESULT-17 */
export function checkReport(seen: Observation): Failure[] {
  if (!seen.driver.features?.includes("report") || seen.journal?.ended) return [];
  const { result, session } = seen.results.at(-1)!;
  const steps = result?.steps ?? [];
  // A turn of several responses, or of none, is not counted like the responses.
  if (steps.length !== seen.expected.batches.length) return [];
  return steps.flatMap((step, index) => [
    ...checkKind(step, seen.expected.reason(index)),
    // Results that were compacted do not show any more what the tools had returned.
    ...(seen.filled.case.given.options?.compaction ? [] : checkTools(step, index, seen, session?.messages ?? [])),
  ]);
}

function checkKind({ turn, kind }: Step, expected: Step["kind"]): Failure[] {
  if (expected === undefined || kind === expected) return [];
  const at = { path: `/result/steps/${turn - 1}/kind`, expected, received: kind };
  return [breach("RESULT-15", `the kind of turn ${turn} is wrong`, at)];
}

function checkTools(step: Step, index: number, seen: Observation, messages: readonly Message[]): Failure[] {
  const expected = seen.expected.batches[index]!.flatMap(({ id, name }) => {
    const execution = seen.executions.find((one) => one.id === id);
    const result = messages.find((one): one is ToolResultMessage => one.type === "tool_result" && one.id === id);
    if (!execution || !result) return [];
    const metrics = execution.answer?.returned?.metrics;
    return [
      {
        id,
        name,
        outcome: result.outcome ?? "ok",
        input_bytes: bytesOf(execution.input),
        output_bytes: bytesOf(result.output),
        ...(metrics && !seen.aborted.includes(id) && { metrics }),
      },
    ];
  });
  // The events of a subagent's own run report how it executed.
  const reported = (step.tools ?? []).filter(
    ({ name }) => !isAgentTool(seen, name) && !isMcpTool(seen.filled.case.given, name),
  );
  return matchData(expected, reported)
    .slice(0, 3)
    .map(({ path, expected: wanted, received, message }) =>
      breach("RESULT-17", `the tools that turn ${step.turn} reports are not the executed ones: ${path} ${message}`, {
        path: `/result/steps/${index}/tools${path}`,
        expected: wanted,
        received,
      }),
    );
}

/** The size in UTF-8 of a text, or of a value as JSON without white space. */
function bytesOf(value: unknown): number {
  return Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
}
