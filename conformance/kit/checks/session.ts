// Checks the session of a finished run against what happened in it.

import type { Failure, Message, Outcome, ToolResultMessage } from "../../../schemas/types.ts";
import type { ToolAnswer } from "../observed/batch-outcome.ts";
import { checkCompacted, compactionOf } from "./compaction.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import { wellFormed } from "../base/well-formed.ts";
import { isMcpTool } from "../suite/mcp-tools.ts";
import { waitsForCaller } from "../observed/observation.ts";
import type { Observation } from "../observed/observation.ts";
import { checkOutputResult, outputTool } from "../observed/output-tool.ts";
import { isAgentTool } from "../observed/subruns.ts";
import { reports } from "../suite/variant.ts";

/** Everything that is wrong with the session. */
export function checkSession(seen: Observation): Failure[] {
  const session = seen.results.at(-1)?.session;
  if (!reports(seen.driver, "session")) return [];
  if (!session) return [breach("DRIVER-4", "the driver reports sessions, but its answer has none")];
  if (seen.sessionId !== undefined && session.id !== seen.sessionId)
    return [
      breach("DRIVER-4", "this is a different session", {
        path: "/id",
        expected: seen.sessionId,
        received: session.id,
      }),
    ];
  const { given } = seen.filled.case;
  const isSuspended = waitsForCaller(seen);
  const prefix = given.options?.compaction
    ? []
    : matchData(wellFormed(given.messages), session.messages.slice(0, given.messages.length), "", true);
  if (prefix.length > 0) {
    return prefix
      .slice(0, 3)
      .map(({ path, expected, received, message }) =>
        breach(
          received === undefined ? "SESSION-1" : "SESSION-2",
          `the caller's messages were changed: /messages${path} ${message}`,
          { path: `/messages${path}`, expected, received },
        ),
      );
  }
  seen.expected.ended(session.messages, isSuspended);
  const expected = seen.expected.messages(session.messages, isSuspended).map((message) => withoutOpaque(message, seen));
  const isWhole = !seen.disturbed && !seen.expected.isOpen;
  const compared = isWhole ? session.messages : session.messages.slice(0, expected.length);
  const differing = matchData(expected, compared).slice(0, 5);
  const compaction = differing.length > 0 ? compactionOf(seen, expected, true) : undefined;
  if (compaction && isWhole) return checkCompacted(expected, session.messages, "the session", compaction);
  if (compaction) return [];
  const failures = differing.map(({ path, expected: wanted, received, message }) =>
    breach(
      sessionRequirement(path, expected, compared),
      `the session differs from what happened: /messages${path} ${message}`,
      { path: `/messages${path}`, expected: wanted, received },
    ),
  );
  if (failures.length > 0) return failures;
  // A run refuses to start on a session that is broken, and leaves it so.
  const paired = checkPaired(given.messages, false).length > 0 ? [] : checkPaired(session.messages, isSuspended);
  return [...paired, ...checkMarks(session.messages, seen)];
}

/** What an adapter keeps of a provider's own data is shown by the next request, not by its form in the session. */
function withoutOpaque(message: Message, seen: Observation): Message {
  if (seen.variant.seam === "generic" || !("opaque" in message)) return message;
  const { opaque: _, ...rest } = message;
  return rest as Message;
}

function sessionRequirement(path: string, expected: readonly Message[], received: readonly Message[]): string {
  const [, index = "0", field] = path.split("/");
  const wanted = expected[Number(index)];
  const actual = received[Number(index)];
  if (wanted?.type === "tool_result")
    return actual?.type === "tool_result" && actual.id !== wanted.id
      ? "SESSION-7"
      : field === "output"
        ? "TOOL-13"
        : "SESSION-6";
  if (wanted?.type === "tool_call" && field === "id") return "SESSION-9";
  if (wanted?.type === "thinking" && field === "status") return "SESSION-14";
  return wanted === undefined ? "SESSION-6" : "SESSION-4";
}

/** @see SESSION-6 @see SESSION-7 */
function checkPaired(messages: readonly Message[], isSuspended: boolean): Failure[] {
  const answers = new Map<string, number>();
  const calls = messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : []));
  for (const message of messages)
    if (message.type === "tool_result") answers.set(message.id, (answers.get(message.id) ?? 0) + 1);
  const failures: Failure[] = [];
  for (const id of calls) {
    const count = answers.get(id) ?? 0;
    if (count > 1 || (count === 0 && !isSuspended))
      failures.push(
        breach("SESSION-6", `the call ${id} has ${count} results in the session`, { expected: 1, received: count }),
      );
  }
  for (const id of answers.keys())
    if (!calls.includes(id)) failures.push(breach("SESSION-6", `the result of ${id} answers no call of the session`));
  const duplicate = calls.find((id, index) => calls.indexOf(id) !== index);
  if (duplicate !== undefined) failures.push(breach("SESSION-9", `two calls of the session have the id ${duplicate}`));
  return failures;
}

/** Results carry the outcome of the call. @see SESSION-8 @see TOOL-14 @see TOOL-17 */
function checkMarks(messages: readonly Message[], seen: Observation): Failure[] {
  const executed = new Set(seen.executions.map(({ id }) => id));
  const calls = seen.expected.calls.map((call) => call.message);
  const idsOf = (isOne: (name: string) => boolean) =>
    new Set(calls.filter(({ name }) => isOne(name)).map(({ id }) => id));
  const elsewhere = idsOf((name) => isAgentTool(seen, name) || isMcpTool(seen.filled.case.given, name));
  const outputs = idsOf((name) => name === outputTool(seen)?.name);
  const added = messages.slice(seen.filled.case.given.messages.length);
  return added.flatMap((message) => {
    if (message.type !== "tool_result") return [];
    const answer = seen.expected.answerTo(message.id);
    const instead = seen.expected.overruled(message.id);
    if (instead) return checkOverruled(message, instead);
    if (answer)
      return [
        ...checkAnswered(
          message,
          answer.isError === true || answer.thrown !== undefined,
          answer.thrown === undefined ? "TOOL-17" : "TOOL-14",
        ),
        ...checkData(message, answer, seen),
      ];
    if (executed.has(message.id) || elsewhere.has(message.id)) return [];
    if (outputs.has(message.id)) return checkOutputResult(message);
    const isMarked = message.is_error === true && message.synthetic === true && message.outcome !== undefined;
    return isMarked || seen.expected.isOpen
      ? []
      : [
          breach("SESSION-8", `the result of ${message.id}, which no tool made, is not marked as such`, {
            expected: { is_error: true, synthetic: true, outcome: "(why)" },
            received: message,
          }),
        ];
  });
}

/** The result of a tool whose handoff does not stand. */
function checkOverruled({ id, is_error, outcome, synthetic }: ToolResultMessage, instead: Outcome): Failure[] {
  if (is_error === true && synthetic === true && outcome === instead) return [];
  const expected = { is_error: true, synthetic: true, outcome: instead };
  const received = { is_error, synthetic, outcome };
  const requirement = instead === "skipped" ? "LOOP-68" : "LOOP-70";
  return [breach(requirement, `the handoff of ${id} does not stand, but its result does`, { expected, received })];
}

/** @see TOOL-29 */
function checkData(message: ToolResultMessage, { returned }: ToolAnswer, { driver }: Observation): Failure[] {
  if (!driver.features?.includes("tool_data")) return [];
  const value = returned?.returned;
  const data = value === undefined || value === null || typeof value === "string" ? returned?.data : value;
  // In lists, because data that are not there are as good as others.
  if (matchData([data], [message.data], "", true).length === 0) return [];
  return [
    breach(
      data === returned?.data ? "TOOL-29" : "TOOL-40",
      `the result of ${message.id} does not have the data that the tool returned`,
      {
        expected: data,
        received: message.data,
      },
    ),
  ];
}

function checkAnswered(message: ToolResultMessage, isError: boolean, errorRequirement: string): Failure[] {
  const outcome = message.outcome ?? (message.is_error ? "error" : "ok");
  const isRight = outcome === (isError ? "error" : "ok") && (message.is_error === true) === isError;
  if (isRight) return [];
  const expected = isError ? { is_error: true, outcome: "error" } : { outcome: "ok" };
  return [
    breach(isError ? errorRequirement : "TOOL-13", `the result of ${message.id} does not have the tool's output`, {
      expected,
      received: { is_error: message.is_error, outcome: message.outcome },
    }),
  ];
}
