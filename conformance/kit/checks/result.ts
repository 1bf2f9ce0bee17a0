// Checks the result of a run against what happened in it.

import type { Failure, Message, RunResult, Usage } from "../../../schemas/types.ts";
import { checkHashes } from "./approval.ts";
import { checkReport } from "./step-report.ts";
import { checkSnapshots } from "./snapshot.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import { waitsForCaller } from "../observed/observation.ts";
import type { GivenAnswer, Observation } from "../observed/observation.ts";
import { modelOf } from "../suite/script.ts";
import { answersUnder, isDisturbed } from "../observed/subruns.ts";
import { reportedPart, reports } from "../suite/variant.ts";

/**
 * Everything that is wrong with the result.
 * @param whole the run of the case, where `seen` is that of a subagent
 */
export function checkResult(seen: Observation, whole: Observation = seen): Failure[] {
  const { driver } = seen;
  const result = seen.results.at(-1)?.result;
  if (!result)
    return reports(driver, "result") ? [breach("DRIVER-4", "the driver reports results, but its answer has none")] : [];
  const failures: Failure[] = [];
  const demand = (requirement: string, field: string, expected: unknown, received: unknown) => {
    if (expected === undefined && received === undefined) return;
    const name = `result.${field.split("/", 1)[0]}`;
    const isWhole = reports(driver, name);
    const wanted = isWhole ? expected : reportedPart(expected, name, driver);
    if (!isWhole && wanted === undefined) return;
    if (matchData(wanted, received, "", isWhole).length > 0)
      failures.push(
        breach(requirement, `result.${field} differs from the expected value`, {
          path: `/result/${field}`,
          expected,
          received,
        }),
      );
  };
  const has = (field: string) => reports(driver, "result.status") && reports(driver, `result.${field}`);
  if (has("error") && (result.status === "error") !== (result.error !== undefined))
    failures.push(
      breach("RESULT-7", `the status is ${result.status}, and ${result.error ? "there is" : "there is no"} error`, {
        received: result.error ?? null,
      }),
    );
  if (has("pending") && (result.status === "suspended") !== (result.pending !== undefined))
    failures.push(
      breach(
        "LOOP-35",
        `the status is ${result.status}, and ${result.pending ? "there are" : "there are no"} pending calls`,
        { received: result.pending ?? null },
      ),
    );
  const { sessionId } = seen;
  if (has("session_id") && sessionId !== undefined && (result.session_id ?? sessionId) !== sessionId)
    failures.push(
      breach("RESULT-22", "the result names another session than that of the run", {
        path: "/result/session_id",
        expected: sessionId,
        received: result.session_id,
      }),
    );
  const hashes = (result.pending ?? []).flatMap(({ input_hash }) => input_hash ?? []);
  if (new Set(hashes).size < hashes.length)
    failures.push(breach("PERMISSION-12", "two pending calls have the same input_hash", { received: hashes }));
  failures.push(...seen.results.flatMap(checkHashes), ...checkSnapshots(seen));
  if (has("stop_condition") && (result.status === "stopped") !== (result.stop_condition !== undefined))
    failures.push(
      breach(
        "LOOP-29",
        `the status is ${result.status}, and ${result.stop_condition === undefined ? "there is no" : "there is a"} stop condition`,
        { received: result.stop_condition ?? null },
      ),
    );
  // What an error adds to the counts depends on where it happened; the case says it where it matters.
  if (seen.disturbed || seen.expected.isOpen || waitsForCaller(seen) || result.status === "error") return failures;

  const turns = seen.answers.filter((_, index) => !isContinued(seen.answers[index - 1]));
  const last = lastTurn(seen);
  demand("LOOP-22", "turns", turns.length, result.turns);
  demand("RESULT-6", "steps/length", turns.length, result.steps.length);
  demand("RESULT-8", "tool_calls", seen.expected.calls.length, result.tool_calls);
  demand("RESULT-1", "stop_reason", seen.answers.at(-1)?.stopReason ?? null, result.stop_reason);
  const text = last.flatMap((message) => (message.role === "assistant" ? [message.content] : [])).join("");
  // How far those had come who look at it, the case says where it matters.
  if (!isCutOffWithChecks(seen, result))
    demand("RESULT-2", "final_text", isKeptBack(result) ? "" : text, result.final_text);
  const usages = [...answersUnder(whole, seen), ...seen.summaries].flatMap(({ response }) => response?.usage ?? []);
  // The usage of an interrupted model call is unknown.
  const isCounted = !isDisturbed(whole, seen);
  const isShared = whole.subruns.length > 0;
  if (isCounted) demand(isShared ? "SUBAGENT-10" : "RESULT-4", "usage", sumOf(usages), result.usage);
  demand("LOOP-67", "agent", seen.expected.after.agent, result.agent);
  if (driver.features?.includes("context")) demand("RESULT-14", "context", seen.expected.after.context, result.context);
  if (reports(driver, "result.steps")) failures.push(...checkReport(seen));
  if (isCounted && usages.length > 0)
    demand(
      isShared ? "SUBAGENT-10" : "RESULT-5",
      "usage_by_model",
      { [modelOf(seen.driver, seen.variant.seam)]: sumOf(usages) },
      result.usage_by_model,
    );
  return failures;
}

/** A paused answer continues in the same turn, unless it has calls. @see LOOP-30 @see LOOP-55 */
function isContinued(answer: GivenAnswer | undefined): boolean {
  return answer?.stopReason === "pause" && !answer.messages.some((message) => message.type === "tool_call");
}

/** The messages of the last response, the segments before a pause included. */
function lastTurn({ answers }: Observation): Message[] {
  const messages: Message[] = [];
  for (let index = answers.length - 1; index >= 0; index--) {
    if (messages.length > 0 && !isContinued(answers[index])) break;
    messages.unshift(...answers[index]!.messages);
    if (!isContinued(answers[index - 1])) break;
  }
  return messages;
}

/** A sum in which unknown numbers count as absent. @see RESULT-4 */
export function sumOf(usages: readonly Usage[]): Usage {
  const sum = (field: keyof Usage): number | null => {
    const known = usages.flatMap((usage) => (usage[field] === null ? [] : [usage[field]]));
    return known.length > 0 ? known.reduce((total, value) => total + value, 0) : null;
  };
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cache_read_tokens: sum("cache_read_tokens"),
    cache_write_tokens: sum("cache_write_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
  };
}

/** Whether a run was cut off that has somebody who looks at what the model says. @see GUARDRAIL-21 HOOK-32 */
function isCutOffWithChecks({ filled }: Observation, { status }: RunResult): boolean {
  const { hooks = [], guardrails = [] } = filled.case.given;
  const isLookedAt =
    hooks.some(({ point }) => point === "after_model") ||
    guardrails.some(({ points }) => points.includes("model_output") || points.includes("final_output"));
  return isLookedAt && (status === "cancelled" || status === "deadline");
}

/** Whether a guardrail or a hook refused what the model said last. @see GUARDRAIL-12 HOOK-33 */
function isKeptBack({ guardrail, stop_condition }: RunResult): boolean {
  return guardrail?.point === "model_output" || guardrail?.point === "final_output" || stop_condition === "blocked";
}
