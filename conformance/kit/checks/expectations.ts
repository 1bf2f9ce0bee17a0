// Holds what was seen against what a case expects: as it stands, or as one of several behaviours.

import type { Case, Failure, ObservedBehaviour } from "../../../schemas/types.ts";
import { failuresOf } from "../base/failures.ts";
import { match } from "../base/matcher.ts";
import type { MatchContext } from "../base/matcher.ts";
import { leadingSystem } from "../observed/leading-system.ts";
import type { Observation } from "../observed/observation.ts";
import { modelOf, replayModel } from "../suite/script.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { essentialPart, resultsBehind, withoutOwnSystem } from "./by-containment.ts";
import { reportedPart, reports } from "../suite/variant.ts";
import { checkEnded } from "./ended.ts";
import { isInvalidCall } from "./invalid-calls.ts";
import { inOrderOfCalls } from "./result-order.ts";
import { overlaps } from "./scheduling.ts";
import { inTakenForm } from "./taken-forms.ts";
import type { Tested } from "./tested.ts";

type Expect = Case["expect"];

/** Everything that is not as the case expects it. @see KIT-24 KIT-33 */
export function checkExpectations(seen: Observation, tested: Tested): Failure[] {
  const { one_of: behaviours, ...always } = seen.filled.case.expect;
  const failures = checkPart(seen, always, tested, "expect");
  if (!behaviours || shown(seen) !== undefined) return failures;
  const names = behaviours.map(({ observes }) => Object.values(observes).join(" and "));
  const differences = behaviours.map(({ expect }, index) =>
    checkPart(seen, expect, tested, `expect/one_of/${index}/expect`),
  );
  // Where a behaviour differs in the word about its ending alone, that is what is wrong.
  const inWord = differences.find((found) => found.every(({ path }) => path === "/expect/status"));
  const nearest = inWord ?? differences.reduce((least, one) => (one.length < least.length ? one : least));
  const requirement = inWord?.[0]?.requirement ?? tested.requirement;
  const message = `it is none of the behaviours that are known here: ${names.join(", ")}`;
  return [...failures, { code: "assertion", requirement, message, path: "/expect/one_of" }, ...nearest];
}

/** The behaviours of the case that a run showed whole; none if the case has none, or it is another one. */
export function behavioursShown(seen: Observation): ObservedBehaviour[] {
  return Object.entries(shown(seen)?.observes ?? {}).map(([policy, choice]) => ({ policy, choice }));
}

function shown(seen: Observation): NonNullable<Expect["one_of"]>[number] | undefined {
  const { expect, requires } = seen.filled.case;
  return expect.one_of?.find(
    (one) =>
      checkPart(seen, one.expect, { requirement: requires[0]!, severity: undefined }, "expect/one_of").length === 0,
  );
}

/** @param at the place of the expectation in the case */
function checkPart(seen: Observation, whole: Expect, tested: Tested, at: string): Failure[] {
  const { requirement } = tested;
  const { given } = seen.filled.case;
  const isWire = isWireDriver(seen.driver);
  // What tells behaviours apart is meant as it is written.
  const expect = isWire && at === "expect" ? essentialPart(whole, seen) : whole;
  const context: MatchContext = { bindings: new Map(seen.filled.bindings), policies: seen.driver.policies ?? {} };
  const failures: Failure[] = [];
  const check = (key: string, expected: unknown, received: unknown) => {
    if (expected !== undefined)
      failures.push(
        ...failuresOf(
          "assertion",
          requirement,
          `${at.replaceAll("/", ".")}.${key}`,
          match(expected, received, context, ""),
        ).map((failure) => ({ ...failure, path: `/${at}/${key}${failure.path ?? ""}` })),
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
    seen.executions
      .filter(({ id }) => requirement === "TOOL-5" || !isInvalidCall(id, seen))
      .map(({ id, name, input, context }) => ({ id, name, input, ...(context && { context }) })),
  );
  check("hooks", expect.hooks, seen.hooks);
  check("guardrails", expect.guardrails, seen.guardrails);
  check("instructions", expect.instructions, seen.instructions);
  check("mcp", expect.mcp, seen.mcpCalls);
  // Of a loop that asks again after a loss, what it asked before that.
  const requests = seen.requests.slice(0, seen.requests.length - seen.askedAfterLoss);
  const ordered = isWire ? requests.map((one) => ({ ...one, messages: inOrderOfCalls(one.messages) })) : requests;
  check("requests", expect.requests, ordered.map(asExpected));
  check("request_count", expect.request_count, requests.length);
  const { most_appends: most = 0 } = expect;
  check("most_appends", expect.most_appends, Math.max(most, seen.journal?.appends ?? 0));
  if (seen.variant.seam !== "generic") {
    const { seam } = seen.variant;
    const isAboutKeeping = given.conversation === "server";
    const bodies = requests.map(({ body, whole = body }) => (isAboutKeeping ? body : whole));
    const named = namingModel(expect.wire?.[seam], modelOf(seen.driver, seam));
    const wanted = isWire && named ? named.map((body) => resultsBehind(body, seam)) : named;
    const sent = isWire ? withoutOwnSystem(bodies, wanted, seam) : bodies;
    check(`wire/${seam}`, isWire ? inTakenForm(wanted, sent) : wanted, sent);
  }
  if (reports(seen.driver, "events")) check("events", expect.events, seen.events.flat());
  return [
    ...failures.map((failure) => {
      if (isExecutedAfterLoss(failure, seen, tested)) return { ...failure, requirement: "LOOP-19" };
      return isSiblingUndone(failure, seen, tested) ? { ...failure, requirement: "TOOL-11" } : failure;
    }),
    ...checkEnded(seen, expect.status, tested),
    ...checkOverlap(seen, expect, requirement, at),
    ...checkAborted(seen, expect, requirement, at),
  ];
}

/** Whether a tool was executed that nobody asked for, where an answer was lost and what the case tests is something else. */
function isExecutedAfterLoss(
  { path = "", expected }: Failure,
  { disturbed, driver, filled }: Observation,
  { severity }: Tested,
): boolean {
  const isExtra = /\/tools\/\d+$/.test(path) && expected === undefined;
  const isLost = disturbed && filled.case.expect.status === "error";
  return isExtra && isLost && isWireDriver(driver) && severity !== "executes";
}

/** Whether a call was left undone beside one that must not be executed, where the case is about both. @see TOOL-11 */
function isSiblingUndone(
  { path = "", expected, received }: Failure,
  { driver, filled }: Observation,
  { severity }: Tested,
): boolean {
  const isMissing = /\/tools\/\d+$/.test(path) && expected !== undefined && received === undefined;
  return isMissing && isWireDriver(driver) && severity === "executes" && filled.case.requires.includes("TOOL-11");
}

/** What a case expects of requests, where the driver has chosen the name of the model. */
function namingModel<Expected>(expected: Expected, name: string): Expected {
  if (!Array.isArray(expected)) return expected;
  const named = (body: { model?: unknown }) => (body.model === replayModel ? { ...body, model: name } : body);
  return expected.map(named) as Expected;
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

function checkOverlap({ executions }: Observation, expect: Expect, requirement: string, at: string): Failure[] {
  const { overlap = [], no_overlap = [] } = expect;
  const didOverlap = ([left, right]: [string, string]) =>
    executions.some(
      (one) =>
        one.name === left && executions.some((other) => other !== one && other.name === right && overlaps(one, other)),
    );
  const failure = (key: string, index: number, message: string): Failure => ({
    code: "assertion",
    requirement,
    message,
    path: `/${at}/${key}/${index}`,
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

function checkAborted(
  { executions, aborted }: Observation,
  { aborted: expected }: Expect,
  requirement: string,
  at: string,
): Failure[] {
  if (!expected) return [];
  const received = aborted.map((id) => executions.find((execution) => execution.id === id)?.name ?? id);
  if ([...expected].sort().join("\n") === [...received].sort().join("\n")) return [];
  return [
    {
      code: "assertion",
      requirement,
      message: "other tools were signalled to stop than expected",
      path: `/${at}/aborted`,
      expected,
      received,
    },
  ];
}
