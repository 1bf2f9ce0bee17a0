// Checks the executions against the scheduling mode: which may overlap, how many, and in which order they start.

import type { Failure } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { toolsOf } from "../suite/case-agents.ts";
import { matchData } from "../base/matcher.ts";
import type { Execution, Observation } from "../observed/observation.ts";

/** Whether two executions ran at the same time. */
export function overlaps(left: Execution, right: Execution): boolean {
  return left.start < (right.end ?? Infinity) && right.start < (left.end ?? Infinity);
}

/** Everything that is wrong with when tools ran. */
export function checkScheduling(seen: Observation): Failure[] {
  const { given } = seen.filled.case;
  const { options = {} } = given;
  const tools = toolsOf(given);
  const mode = options.scheduling ?? "barrier";
  const isConcurrent = (name: string) => {
    const annotations = tools.find((tool) => tool.name === name)?.annotations;
    return annotations?.concurrent ?? annotations?.read_only ?? false;
  };
  const failures: Failure[] = [];
  const { executions } = seen;
  for (const [index, first] of executions.entries()) {
    for (const second of executions.slice(index + 1)) {
      if (!overlaps(first, second)) continue;
      const pair = `${first.name} (${first.id}) and ${second.name} (${second.id})`;
      if (mode === "serial") failures.push(breach("TOOL-24", `${pair} ran at the same time in scheduling mode serial`));
      else if (mode !== "parallel" && !(isConcurrent(first.name) && isConcurrent(second.name)))
        failures.push(breach("TOOL-20", `${pair} ran at the same time, but not both are concurrent`));
    }
  }
  const most = Math.max(
    0,
    ...executions.map((one) => executions.filter((other) => overlaps({ ...one, end: one.start + 0.5 }, other)).length),
  );
  const limit = options.max_concurrency ?? 10;
  if (most > limit)
    failures.push(breach("TOOL-22", `${most} tools ran at the same time`, { expected: limit, received: most }));
  return [...failures.slice(0, 3), ...checkStartOrder(seen, mode, isConcurrent)];
}

/** @see TOOL-21 @see TOOL-25 */
function checkStartOrder(seen: Observation, mode: string, isConcurrent: (name: string) => boolean): Failure[] {
  if (mode !== "barrier" && mode !== "reads_first" && mode !== "serial") return [];
  const started = seen.executions.map(({ id }) => id);
  const resumesOf = ({ id }: { id: string }) => seen.executions.find((one) => one.id === id)!.resumes;
  const calls = seen.expected.batches.flatMap((batch) => {
    const executed = batch.filter(({ id }) => started.includes(id));
    const isLater = ({ name }: { name: string }) => Number(mode === "reads_first" && !isConcurrent(name));
    const inMode = executed.toSorted((one, other) => isLater(one) - isLater(other));
    return inMode.toSorted((one, other) => resumesOf(one) - resumesOf(other)); // what waited for the caller comes later
  });
  const expected = calls.map(({ id }) => id);
  const received = started.filter((id, index) => expected.includes(id) && started.indexOf(id) === index);
  if (matchData(expected, received).length === 0) return [];
  return [
    breach(
      mode === "reads_first" ? "TOOL-25" : "TOOL-21",
      `tools started in another order than scheduling mode ${mode} asks for`,
      { expected, received },
    ),
  ];
}
