// Judges a finished run: what the case expects, then what holds in every run.

import type { Failure } from "../../../schemas/types.ts";
import { failuresOf } from "../base/failures.ts";
import { overlaps } from "./scheduling.ts";
import { checkInvariants } from "./invariants.ts";
import { leadingSystem } from "../observed/leading-system.ts";
import { match } from "../base/matcher.ts";
import type { MatchContext } from "../base/matcher.ts";
import type { Observation } from "../observed/observation.ts";
import { reports } from "../suite/variant.ts";

/** More failures than this of one run add nothing. */
const maxFailures = 12;

/** Everything that was wrong with a run, what was found on the way first. Empty if the run is as it should be. */
export function judge(seen: Observation): Failure[] {
  // A stuck run was released by force; what followed proves nothing about the driver.
  const stuck = seen.failures.filter(({ code }) => code === "stuck");
  if (stuck.length > 0) return stuck;
  const tested = seen.filled.case.requires[0]!;
  const found = [...seen.failures, ...checkExpectations(seen, tested), ...checkInvariants(seen)];
  return found.slice(0, maxFailures).map((failure) => ({ ...failure, requirement: failure.requirement ?? tested }));
}

function checkExpectations(seen: Observation, requirement: string): Failure[] {
  const { expect, given } = seen.filled.case;
  const context: MatchContext = { bindings: new Map(seen.filled.bindings), policies: seen.driver.policies ?? {} };
  const failures: Failure[] = [];
  const check = (key: string, expected: unknown, received: unknown) => {
    if (expected !== undefined)
      failures.push(
        ...failuresOf("assertion", requirement, `expect.${key}`, match(expected, received, context, "")).map(
          (failure) => ({ ...failure, path: `/expect/${key}${failure.path ?? ""}` }),
        ),
      );
  };
  const last = seen.results.at(-1);
  if (reports(seen.driver, "result")) {
    check("status", expect.status, last?.result?.status);
    check("result", expect.result, last?.result);
    check("second_result", expect.second_result, seen.second?.result);
  }
  if (reports(seen.driver, "session"))
    check(
      "session",
      expect.session,
      last?.session?.messages.slice(given.options?.compaction ? 0 : given.messages.length),
    );
  check(
    "tools",
    expect.tools?.map((entry) => (typeof entry === "string" ? { name: entry } : entry)),
    seen.executions.map(({ id, name, input, context }) => ({ id, name, input, ...(context && { context }) })),
  );
  check("hooks", expect.hooks, seen.hooks);
  check("guardrails", expect.guardrails, seen.guardrails);
  check("instructions", expect.instructions, seen.instructions);
  check("mcp", expect.mcp, seen.mcpCalls);
  check("requests", expect.requests, seen.requests.map(asExpected));
  check("request_count", expect.request_count, seen.requests.length);
  if (seen.variant.seam !== "generic")
    check(
      `wire/${seen.variant.seam}`,
      expect.wire?.[seen.variant.seam],
      seen.requests.map(({ body }) => body),
    );
  if (reports(seen.driver, "events")) check("events", expect.events, seen.events.flat());
  return [...failures, ...checkOverlap(seen, requirement), ...checkAborted(seen, requirement)];
}

/** A request as cases speak of it: the leading system text apart from the messages. */
function asExpected({
  system,
  messages,
  body: _body,
  summary: _summary,
  ...rest
}: Observation["requests"][number]): object {
  const text = system ?? leadingSystem(messages);
  const first = messages.findIndex((message) => message.role !== "system");
  return { ...(text !== undefined && { system: text }), messages: messages.slice(Math.max(first, 0)), ...rest };
}

function checkOverlap({ filled, executions }: Observation, requirement: string): Failure[] {
  const { overlap = [], no_overlap = [] } = filled.case.expect;
  const didOverlap = ([left, right]: [string, string]) =>
    executions.some(
      (one) =>
        one.name === left && executions.some((other) => other !== one && other.name === right && overlaps(one, other)),
    );
  const failure = (key: string, index: number, message: string): Failure => ({
    code: "assertion",
    requirement,
    message,
    path: `/expect/${key}/${index}`,
  });
  return [
    ...overlap.flatMap((pair, index) =>
      didOverlap(pair) ? [] : [failure("overlap", index, `${pair[0]} and ${pair[1]} did not run at the same time`)],
    ),
    ...no_overlap.flatMap((pair, index) =>
      didOverlap(pair) ? [failure("no_overlap", index, `${pair[0]} and ${pair[1]} ran at the same time`)] : [],
    ),
  ];
}

function checkAborted({ filled, executions, aborted }: Observation, requirement: string): Failure[] {
  const { aborted: expected } = filled.case.expect;
  if (!expected) return [];
  const received = aborted.map((id) => executions.find((execution) => execution.id === id)?.name ?? id);
  if ([...expected].sort().join("\n") === [...received].sort().join("\n")) return [];
  return [
    {
      code: "assertion",
      requirement,
      message: "other tools were signalled to stop than expected",
      path: "/expect/aborted",
      expected,
      received,
    },
  ];
}
