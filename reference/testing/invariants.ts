// Invariants of every run, whatever its model, tools and user do. Each violation is one sentence.

import { getEventListeners } from "node:events";

import { checkGrammar } from "../../conformance/kit/checks/event-grammar.ts";
import { isValid, validate } from "../../conformance/kit/base/validate.ts";
import type { State } from "../core/ports.ts";
import { isIncomplete, isType } from "../core/session.ts";
import { UNKNOWN } from "../core/usage.ts";
import { checkSession } from "../state/check-session.ts";
import { addUsage } from "../state/run-result.ts";
import type { Message, Session, Usage } from "../../schemas/types.ts";
import type { Life, Segment } from "./live.ts";
import type { Scenario } from "./scenario.ts";
import type { Asked, World } from "./scripted-world.ts";

/** All violations in a life; empty if there are none. */
export function breachesOf({ world, segments }: Life): string[] {
  const found = segments.flatMap((segment, i) => {
    const until = segments[i + 1]?.kind === "next" ? undefined : segments[i + 1];
    const breaches = [
      ...ofSession(segment),
      ...ofEvents(segment),
      ...ofCounts(segment),
      ...(segment.kind === "next" ? ofNext(segment) : ofWorld(segment, until, world)),
    ];
    return breaches.map((breach) => `${segment.kind}: ${breach}`);
  });
  const chain = segments.filter(({ kind }) => kind === "run" || kind === "resume");
  return [...found, ...ofUsage(chain, world), ...ofRequests(world), ...ofExecutions(world), ...ofLeftovers(world)];
}

/** Leaked timers and listeners. */
function ofLeftovers(world: World): string[] {
  const { ofLoop } = world.sleepers();
  const listeners = [...world.signals].flatMap((signal) => getEventListeners(signal, "abort"));
  const found = ofLoop > 0 ? [`${ofLoop} timers are left`] : [];
  return listeners.length > 0 ? [...found, `${listeners.length} listeners are left on the signal of the run`] : found;
}

/** The violations in a state between two steps. */
export function breachesOfState(state: State): string[] {
  const found = notJson(state, "") ? [`the snapshot is not JSON at ${notJson(state, "")}`] : [];
  if (!isValid("Snapshot", state))
    found.push(`the snapshot is not valid: ${JSON.stringify(validate("Snapshot", state)[0])}`);
  const isComplete = state.phase === "turn_boundary" || state.phase === "done" || state.phase === "calling_model";
  const isRefusal = state.ending?.error?.kind === "invalid_session" || state.turn === 0;
  if (isComplete && !isRefusal) found.push(...ofPairing(state.session));
  return found.map((breach) => `in phase ${state.phase} of turn ${state.turn}: ${breach}`);
}

/** Checks a session twice: with the reference's own check, and with an independent one. */
export function ofPairing(session: Session): string[] {
  const problems = checkSession(session).map(({ requirement, message }) => `${requirement}: ${message}`);
  let open: string[] = [];
  let answering = false;
  for (const message of session.messages) {
    if (message.type === "tool_result") {
      answering = true;
      if (open.shift() !== message.id) problems.push(`the result of ${String(message.id)} is not the next one`);
    } else {
      if (open.length > 0 && (answering || !ofModel(message))) problems.push(`${open.join()} not answered in place`);
      if (answering) open = [];
      answering = false;
      if (message.type === "tool_call") open.push(message.id as string);
    }
  }
  if (open.length > 0) problems.push(`${open.join()} not answered at the end`);
  return problems;
}

function ofModel({ role, type }: Message): boolean {
  return role === "assistant" || type === "thinking" || type === "tool_call" || type === "provider_item";
}

function ofSession({ kind, begun, before, after, events, result, session }: Segment): string[] {
  const found: string[] = [];
  if (before !== after) found.push("the caller's input was modified");
  const added = events.flatMap((event) => (event.type === "message" ? [event.message] : []));
  const rebuilt = { ...begun, messages: [...begun.messages, ...added] };
  if (JSON.stringify(rebuilt) !== JSON.stringify(session)) found.push("the message events do not rebuild the session");
  const isClosed = result.status !== "suspended" && result.error?.kind !== "invalid_session";
  if (isClosed && kind !== "refused") found.push(...ofPairing(session));
  if (!isValid("Session", session)) found.push(`the session: ${JSON.stringify(validate("Session", session)[0])}`);
  return found;
}

function ofEvents({ events, result }: Segment): string[] {
  const found = checkGrammar(events).map(({ message }) => message);
  const end = events.at(-1);
  const { snapshot, ...reported } = result;
  if (end?.type !== "run_end") found.push("the last event is not run_end");
  else if (JSON.stringify(end.result) !== JSON.stringify(reported)) found.push("run_end has another result");
  if ((snapshot !== undefined) !== (result.status === "suspended")) found.push("a snapshot without being suspended");
  return found;
}

/** The result matches its steps, and the steps the session. */
function ofCounts({ result, session, begun, kind }: Segment): string[] {
  const found: string[] = [];
  const { steps } = result;
  if (!isValid("RunResult", result)) found.push(`the result: ${JSON.stringify(validate("RunResult", result)[0])}`);
  if (result.turns !== steps.length) found.push(`${result.turns} turns, but ${steps.length} steps`);
  if (steps.some(({ turn }, i) => turn !== i + 1)) found.push("the steps are not numbered by turn");
  const calls = steps.reduce((sum, { tool_calls }) => sum + tool_calls, 0);
  if (result.tool_calls !== calls) found.push(`${result.tool_calls} calls, but ${calls} in the steps`);
  const usage = steps.reduce((sum, step) => addUsage(sum, step.usage), UNKNOWN as Usage);
  if (!sameUsage(usage, result.usage)) found.push("the usage is not that of the steps");
  if ((result.error !== undefined) !== (result.status === "error")) found.push(`an error with ${result.status}`);
  const isStopped = result.status === "stopped";
  if ((result.stop_condition !== undefined) !== isStopped) found.push(`a stop condition with ${result.status}`);
  const since = kind === "run" || kind === "next" ? session.messages.slice(begun.messages.length) : session.messages;
  for (const { turn, tool_calls, outcomes } of steps) {
    const ofTurn = since.filter(({ meta }) => (meta as { turn?: number } | undefined)?.turn === turn);
    const called = ofTurn.filter(({ type }) => type === "tool_call").length;
    const results = ofTurn.flatMap((message) => (isType(message, "tool_result") ? [message.outcome ?? "ok"] : []));
    const isOpen = turn === steps.length && (result.status === "suspended" || kind === "refused");
    if (called !== tool_calls) found.push(`turn ${turn} counts ${tool_calls} calls, but has ${called}`);
    if (!isOpen && results.join() !== outcomes.join())
      found.push(`turn ${turn}: ${outcomes.join()}; ${results.join()}`);
    if (!isOpen && outcomes.length !== tool_calls) found.push(`turn ${turn} has ${outcomes.length} outcomes`);
  }
  return found;
}

function ofNext({ result }: Segment): string[] {
  return result.status === "completed" && result.final_text === "Done."
    ? []
    : [`the next run failed: ${result.status} ${result.error?.message ?? ""}`];
}

/** What is left running, and what started after the end or a cancel. `next` is the following segment. */
function ofWorld({ from, events, result, kind, ended }: Segment, next: Segment | undefined, world: World): string[] {
  const found: string[] = [];
  const executions = world.executions.slice(from.executions, next?.from.executions);
  const requests = world.asked.slice(from.asked, next?.from.asked);
  if (kind === "refused") {
    const isRefused = result.error?.kind === "configuration" || result.status === "cancelled";
    if (!isRefused) found.push(`wrong decisions: ${result.status}`);
    if (executions.length + requests.length > 0) found.push("a refused resume did something");
    return found;
  }
  const listed = new Set(result.still_running?.map(({ id }) => id));
  for (const { id, name, ended: end = Infinity, signal } of executions) {
    if (end > ended && !listed.has(id)) found.push(`${name} (${id}) still runs, but is not listed`);
    if (end < ended && listed.has(id)) found.push(`${name} (${id}) is listed, but had ended`);
    if (end > ended && !signal.aborted) found.push(`${name} (${id}) still runs, but was not aborted`);
  }
  const ends = events.flatMap((event) => (event.type === "tool_end" && event.outcome === "timeout" ? [event.id] : []));
  const lates = events.flatMap((event) => (event.type === "tool_late_result" ? [event.id] : []));
  for (const { id, name, ended: end = Infinity } of executions) {
    if (ends.includes(id) && end < ended && !lates.includes(id))
      found.push(`the late result of ${name} was not reported`);
  }
  const { cancelled = Infinity } = world;
  if (cancelled < from.moment) return found; // another run of the same session
  const late = executions.find(({ moment }) => moment > cancelled);
  if (late) found.push(`${late.name} was started after the cancel`);
  if (requests.some(({ moment }) => moment > cancelled)) found.push("the model was called after the cancel");
  return found;
}

function ofUsage(chain: Segment[], { asked }: World): string[] {
  const last = chain.at(-1);
  if (!last) return [];
  const sum = (some: Asked[]) =>
    some.reduce((total, { answered = UNKNOWN }) => addUsage(total, answered), UNKNOWN as Usage);
  const [all, delivered] = [sum(asked), sum(asked.filter(({ isDelivered }) => isDelivered))];
  if ([all, delivered].some((usage) => sameUsage(usage, last.result.usage))) return [];
  return [`the model counted ${JSON.stringify(delivered)}, the result ${JSON.stringify(last.result.usage)}`];
}

/** Every request is valid, and their number is bounded. */
function ofRequests({ asked, scenario }: World): string[] {
  const found: string[] = [];
  for (const { request, json } of asked) {
    if (JSON.stringify(request) !== json) found.push("a request was changed after it was sent");
    found.push(...ofPairing({ spec_version: "1.0", id: "r", messages: request.messages }));
    if (request.messages.some(isIncomplete)) found.push("an incomplete message was sent");
  }
  const { max_retries = 2, fallback_models = [], max_pause_continuations = 10 } = scenario.options;
  const perTurn = (max_retries + 1) * (fallback_models.length + 1) * (max_pause_continuations + 1);
  const most = Math.min(perTurn * turnsAtMost(scenario), scenario.answers.length + scenario.acts.length + EXTRA);
  if (asked.length > most) found.push(`${asked.length} requests, but at most ${most} were expected`);
  return found;
}

/** After its script the model answers "Done."; an empty or truncated answer may be followed by another. */
const EXTRA = 2;

function turnsAtMost({ options: { max_turns = 20 }, answers, acts }: Scenario): number {
  return max_turns ?? answers.length + acts.length + EXTRA;
}

const CONCURRENT = new Set(["read", "look", "delegate", "tidy", "deaf"]);

/** No call is executed twice, and only concurrent tools overlap. */
function ofExecutions({ executions, scenario }: World): string[] {
  const { scheduling = "barrier", max_concurrency = 10 } = scenario.options;
  const found: string[] = [];
  const ids = new Set<string>();
  for (const { id, name, input, beside } of executions) {
    if (ids.has(id)) found.push(`${name} (${id}) was executed twice`);
    ids.add(id);
    if (name === "strict" && !Number.isInteger((input as { x?: unknown }).x)) found.push("strict ran on bad input");
    if (beside.length >= max_concurrency) found.push(`${name} was started beside ${beside.join()}`);
    const others = scheduling === "parallel" ? [] : beside;
    const alone = scheduling === "serial" || !CONCURRENT.has(name) || others.some((other) => !CONCURRENT.has(other));
    if (others.length > 0 && alone) found.push(`${name} was started beside ${beside.join()}`);
  }
  return found;
}

function sameUsage(one: Usage, other: Usage): boolean {
  return (Object.keys(UNKNOWN) as (keyof Usage)[]).every((key) => one[key] === other[key]);
}

/** The path of the first value that JSON cannot represent, or undefined. */
function notJson(value: unknown, path: string): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : path;
  if (typeof value !== "object") return path;
  for (const [key, inner] of Object.entries(value)) {
    const found = notJson(inner, `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
