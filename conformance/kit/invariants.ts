// What holds in every run of every case without being written in it: session, result, tools, secrets. Requests and events stand apart.

import type { Failure, Message, ToolResultMessage, Usage } from "../../reference/types.ts";
import { checkEvents } from "./check-events.ts";
import { breach } from "./failures.ts";
import { matchData } from "./matcher.ts";
import type { Execution, Observation } from "./observation.ts";
import { replayModel } from "./script.ts";
import { reports } from "./variant.ts";

/** Everything that a finished run broke. @see KIT-7 */
export function checkInvariants(seen: Observation): Failure[] {
  return [
    ...checkScriptUsed(seen),
    ...checkSession(seen),
    ...checkResult(seen),
    ...checkScheduling(seen),
    ...(reports(seen.driver, "events") ? checkEvents(seen) : []),
    ...checkSecrets(seen),
  ];
}

function checkScriptUsed({ filled, requests, failures }: Observation): Failure[] {
  const scripted = filled.case.model.length;
  // A case may script more answers than it expects requests, to show that the rest is not asked for.
  if (filled.case.expect.request_count !== undefined || requests.length >= scripted) return [];
  if (failures.some(({ code }) => code === "stuck")) return [];
  const message = `the model was called ${requests.length} times, but the case has ${scripted} answers`;
  return [{ code: "script_not_consumed", message, expected: scripted, received: requests.length }];
}

// ---- the session

function checkSession(seen: Observation): Failure[] {
  const session = seen.results.at(-1)?.session;
  if (!reports(seen.driver, "session")) return [];
  if (!session) return [breach("DRIVER-4", "the driver reports sessions, but its answer has none")];
  const { given } = seen.filled.case;
  const isSuspended = waitsForCaller(seen);
  const prefix = matchData(given.messages, session.messages.slice(0, given.messages.length), "", true);
  if (prefix.length > 0) {
    return prefix.slice(0, 3).map(({ path, expected, received, message }) => breach(received === undefined ? "SESSION-1" : "SESSION-2", `the caller's messages were changed: /messages${path} ${message}`, { path: `/messages${path}`, expected, received }));
  }
  const expected = seen.expected.messages(session.messages, isSuspended).map((message) => withoutOpaque(message, seen));
  const isWhole = !seen.disturbed && !seen.expected.isOpen;
  const compared = isWhole ? session.messages : session.messages.slice(0, expected.length);
  const differing = matchData(expected, compared).slice(0, 5);
  const failures = differing.map(({ path, expected: wanted, received, message }) =>
    breach(sessionRequirement(path, expected, compared), `the session is not what was said and done: /messages${path} ${message}`, { path: `/messages${path}`, expected: wanted, received }),
  );
  if (failures.length > 0) return failures;
  // A run refuses to start on a session that is broken, and leaves it so.
  const paired = checkPaired(given.messages, false).length > 0 ? [] : checkPaired(session.messages, isSuspended);
  return [...paired, ...checkMarks(session.messages, seen)];
}

/** Whether calls may be open at the end: the run is suspended, or it was and refused to be resumed. */
function waitsForCaller({ results }: Observation): boolean {
  const last = results.at(-1)?.result;
  return last?.status === "suspended" || (results.length > 1 && last?.error?.kind === "configuration");
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
  const came = received[Number(index)];
  if (wanted?.type === "tool_result") return came?.type === "tool_result" && came.id !== wanted.id ? "SESSION-7" : field === "output" ? "TOOL-13" : "SESSION-6";
  if (wanted?.type === "tool_call" && field === "id") return "SESSION-9";
  return wanted === undefined ? "SESSION-6" : "SESSION-4";
}

/** @see SESSION-6 @see SESSION-7 */
function checkPaired(messages: readonly Message[], isSuspended: boolean): Failure[] {
  const answers = new Map<string, number>();
  const calls = messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : []));
  for (const message of messages) if (message.type === "tool_result") answers.set(message.id, (answers.get(message.id) ?? 0) + 1);
  const failures: Failure[] = [];
  for (const id of calls) {
    const count = answers.get(id) ?? 0;
    if (count > 1 || (count === 0 && !isSuspended)) failures.push(breach("SESSION-6", `the call ${id} has ${count} results in the session`, { expected: 1, received: count }));
  }
  for (const id of answers.keys()) if (!calls.includes(id)) failures.push(breach("SESSION-6", `the result of ${id} answers no call of the session`));
  const duplicate = calls.find((id, index) => calls.indexOf(id) !== index);
  if (duplicate !== undefined) failures.push(breach("SESSION-9", `two calls of the session have the id ${duplicate}`));
  return failures;
}

/** Results carry what became of the call. @see SESSION-8 @see TOOL-14 @see TOOL-17 */
function checkMarks(messages: readonly Message[], seen: Observation): Failure[] {
  const executed = new Set(seen.executions.map(({ id }) => id));
  const added = messages.slice(seen.filled.case.given.messages.length);
  return added.flatMap((message) => {
    if (message.type !== "tool_result") return [];
    const answer = seen.expected.answerTo(message.id);
    if (answer) return checkAnswered(message, answer.isError === true || answer.thrown !== undefined, answer.thrown === undefined ? "TOOL-17" : "TOOL-14");
    if (executed.has(message.id)) return [];
    const isMarked = message.is_error === true && message.synthetic === true && message.outcome !== undefined;
    return isMarked || seen.expected.isOpen ? [] : [breach("SESSION-8", `the result of ${message.id}, which no tool made, is not marked as such`, { expected: { is_error: true, synthetic: true, outcome: "(why)" }, received: message })];
  });
}

function checkAnswered(message: ToolResultMessage, isError: boolean, errorRequirement: string): Failure[] {
  const outcome = message.outcome ?? (message.is_error ? "error" : "ok");
  const isRight = outcome === (isError ? "error" : "ok") && (message.is_error === true) === isError;
  if (isRight) return [];
  const expected = isError ? { is_error: true, outcome: "error" } : { outcome: "ok" };
  return [breach(isError ? errorRequirement : "TOOL-13", `the result of ${message.id} does not say what the tool said`, { expected, received: { is_error: message.is_error, outcome: message.outcome } })];
}

// ---- the result

function checkResult(seen: Observation): Failure[] {
  if (!reports(seen.driver, "result")) return [];
  const result = seen.results.at(-1)?.result;
  if (!result) return [breach("DRIVER-4", "the driver reports results, but its answer has none")];
  const failures: Failure[] = [];
  const demand = (requirement: string, field: string, expected: unknown, received: unknown) => {
    if (matchData(expected, received, "", true).length > 0) failures.push(breach(requirement, `result.${field} is another one`, { path: `/result/${field}`, expected, received }));
  };
  if ((result.status === "error") !== (result.error !== undefined)) failures.push(breach("RESULT-7", `the status is ${result.status}, and ${result.error ? "there is" : "there is no"} error`, { received: result.error ?? null }));
  if ((result.status === "suspended") !== (result.pending !== undefined)) failures.push(breach("LOOP-35", `the status is ${result.status}, and ${result.pending ? "there are" : "there are no"} pending calls`, { received: result.pending ?? null }));
  if ((result.status === "stopped") !== (result.stop_condition !== undefined)) failures.push(breach("LOOP-29", `the status is ${result.status}, and ${result.stop_condition === undefined ? "there is no" : "there is a"} stop condition`, { received: result.stop_condition ?? null }));
  // What an error adds to the counts depends on where it happened; the case says it where it matters.
  if (seen.disturbed || seen.expected.isOpen || waitsForCaller(seen) || result.status === "error") return failures;

  const turns = seen.answers.filter((_, index) => seen.answers[index - 1]?.stopReason !== "pause");
  const last = lastTurn(seen);
  demand("LOOP-22", "turns", turns.length, result.turns);
  demand("RESULT-6", "steps/length", turns.length, result.steps.length);
  demand("RESULT-8", "tool_calls", seen.expected.calls.length, result.tool_calls);
  demand("RESULT-1", "stop_reason", seen.answers.at(-1)?.stopReason ?? null, result.stop_reason);
  demand("RESULT-2", "final_text", last.flatMap((message) => (message.role === "assistant" ? [message.content] : [])).join(""), result.final_text);
  const usages = seen.answers.flatMap(({ response }) => (response ? [response.usage] : []));
  demand("RESULT-4", "usage", sumOf(usages), result.usage);
  if (usages.length > 0) demand("RESULT-5", "usage_by_model", { [replayModel]: sumOf(usages) }, result.usage_by_model);
  return failures;
}

/** The messages of the last response, the segments before a pause included. */
function lastTurn({ answers }: Observation): Message[] {
  const messages: Message[] = [];
  for (let index = answers.length - 1; index >= 0; index--) {
    if (messages.length > 0 && answers[index]!.stopReason !== "pause") break;
    messages.unshift(...answers[index]!.messages);
    if (answers[index - 1]?.stopReason !== "pause") break;
  }
  return messages;
}

/** A sum in which unknown numbers count as absent. @see RESULT-4 */
function sumOf(usages: readonly Usage[]): Usage {
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

// ---- the tools

/** Whether two executions ran at the same time. */
export function overlaps(left: Execution, right: Execution): boolean {
  return left.start < (right.end ?? Infinity) && right.start < (left.end ?? Infinity);
}

function checkScheduling(seen: Observation): Failure[] {
  const { options = {}, tools = [] } = seen.filled.case.given;
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
      else if (mode !== "parallel" && !(isConcurrent(first.name) && isConcurrent(second.name))) failures.push(breach("TOOL-20", `${pair} ran at the same time, but not both are concurrent`));
    }
  }
  const most = Math.max(0, ...executions.map((one) => executions.filter((other) => overlaps({ ...one, end: one.start + 0.5 }, other)).length));
  const limit = options.max_concurrency ?? 10;
  if (most > limit) failures.push(breach("TOOL-22", `${most} tools ran at the same time`, { expected: limit, received: most }));
  return [...failures.slice(0, 3), ...checkStartOrder(seen, mode, isConcurrent)];
}

/** @see TOOL-21 @see TOOL-25 */
function checkStartOrder(seen: Observation, mode: string, isConcurrent: (name: string) => boolean): Failure[] {
  if (mode !== "barrier" && mode !== "reads_first" && mode !== "serial") return [];
  const started = seen.executions.map(({ id }) => id);
  const calls = seen.expected.batches.flatMap((batch) => {
    const executed = batch.filter(({ id }) => started.includes(id));
    if (mode !== "reads_first") return executed;
    return [...executed.filter(({ name }) => isConcurrent(name)), ...executed.filter(({ name }) => !isConcurrent(name))];
  });
  const expected = calls.map(({ id }) => id);
  const received = started.filter((id, index) => expected.includes(id) && started.indexOf(id) === index);
  if (matchData(expected, received).length === 0) return [];
  return [breach(mode === "reads_first" ? "TOOL-25" : "TOOL-21", `tools started in another order than scheduling mode ${mode} asks for`, { expected, received })];
}

// ---- secrets

function checkSecrets({ apiKey, results, events }: Observation): Failure[] {
  if (apiKey === undefined) return [];
  const leaks = (value: unknown) => JSON.stringify(value).includes(apiKey);
  if (leaks(results)) return [breach(undefined, "the API key stands in the result or the session")];
  return leaks(events) ? [breach(undefined, "the API key stands in an event")] : [];
}
