// Judges a finished run: what the case expects, then what holds in every run.

import type { Case, Failure } from "../../../schemas/types.ts";
import { failuresOf } from "../base/failures.ts";
import { checkEnded } from "./ended.ts";
import { refusedAtOnce } from "./findings.ts";
import { overlaps } from "./scheduling.ts";
import { checkInvariants } from "./invariants.ts";
import { leadingSystem } from "../observed/leading-system.ts";
import { match } from "../base/matcher.ts";
import type { MatchContext } from "../base/matcher.ts";
import type { Observation } from "../observed/observation.ts";
import { modelOf, replayModel } from "../suite/script.ts";
import { reportedPart, reports } from "../suite/variant.ts";

/** More failures than this of one requirement in one run add nothing. */
const maxFailures = 4;

/**
 * Everything that was wrong with a run, each with the requirement that it breaks, what was found on the way first. Empty if the run is
 * as it should be.
 */
export function judge(seen: Observation): Failure[] {
  const source = seen.filled.case;
  // A stuck run was released by force; what followed proves nothing about the driver.
  const stuck = seen.failures.filter(({ code }) => code === "stuck");
  if (stuck.length > 0) return attributed(stuck, source);
  const underway = attributed(seen.failures, source);
  const found = [...underway, ...attributed(checkInvariants(seen), source)];
  const tested = source.requires[0]!;
  // Where not even the first request was taken, nothing happened of what the case expects.
  const isPlayed =
    refusedAtOnce(seen, underway) === undefined || underway.some(({ requirement }) => requirement === tested);
  const expected = isPlayed ? checkExpectations(seen, tested) : [];
  return few([...underway, ...expected, ...found.slice(underway.length)]);
}

/**
 * Gives each failure its requirement: what has none stopped the case, and is about what it tests. The same holds for those of
 * another requirement of which the case says that what it tests shows in them. @see KIT-24
 */
function attributed(failures: readonly Failure[], { requires, shown_by: shown = [] }: Case): Failure[] {
  const tested = requires[0]!;
  return failures.map((failure) => {
    const { requirement = tested } = failure;
    return { ...failure, requirement: shown.includes(requirement) ? tested : requirement };
  });
}

/** The first failures of each requirement. */
function few(failures: readonly Failure[]): Failure[] {
  const counts = new Map<string, number>();
  return failures.filter(({ requirement = "" }) => {
    const count = (counts.get(requirement) ?? 0) + 1;
    counts.set(requirement, count);
    return count <= maxFailures;
  });
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
  if (reports(seen.driver, "result.status")) check("status", expect.status, last?.result?.status);
  check("result", reportedPart(expect.result, "result", seen.driver), last?.result);
  check("second_result", reportedPart(expect.second_result, "result", seen.driver), seen.second?.result);
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
      namingModel(expect.wire?.[seen.variant.seam], modelOf(seen.driver, seen.variant.seam)),
      seen.requests.map(({ body, whole = body }) => (given.conversation === "server" ? body : whole)),
    );
  if (reports(seen.driver, "events")) check("events", expect.events, seen.events.flat());
  return [
    ...failures,
    ...checkEnded(seen, requirement),
    ...checkOverlap(seen, requirement),
    ...checkAborted(seen, requirement),
  ];
}

/** What a case expects of requests, where the driver has chosen the name of the model. */
function namingModel(expected: unknown, name: string): unknown {
  if (!Array.isArray(expected)) return expected;
  return expected.map((body: { model?: unknown }) => (body.model === replayModel ? { ...body, model: name } : body));
}

/** A request as cases speak of it: the leading system text apart from the messages. */
function asExpected({
  system,
  messages,
  body: _body,
  whole: _whole,
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
