// The loop: call the model, decide what follows, execute the tools, repeat. Read it beside spec/loop/loop.md.

import type { CallDecision, Message, ModelResponse, ToolResultMessage } from "../../schemas/types.ts";
import { executeToolCall, judge, oneByOne } from "./execute-tool-calls.ts";
import type { Answer, Ending, Executed, Ports, State } from "./ports.ts";
import { resultTexts, type Situation } from "./result-texts.ts";
import { isText, isType, lastCalls, lastResponse, resultText, syntheticResult, modelRequest } from "./session.ts";
import { stopTable, type StopRow } from "./stop-table.ts";
import { UNKNOWN } from "./usage.ts";

/** The default points: nothing happens between turns, every valid call runs, one at a time, and no state is persisted. */
export const plainPoints = {
  boundary: async () => ({ do: "continue" }),
  decide: async () => ({ do: "run" }),
  execute: oneByOne,
  settle: async () => ({}),
  checkpoint: async () => {},
} satisfies Partial<Ports>;

/**
 * Runs from any state until the run has ended or is suspended. Never throws: every ending is a state
 * in phase `done` or `suspended`, with an `ending`.
 * @see LOOP-27
 */
export async function agentLoop(state: State, ports: Ports): Promise<State> {
  while (state.phase !== "done" && state.phase !== "suspended") {
    try {
      state = await step(state, ports);
      // If only the turn was counted, there is nothing to lose yet.
      if (state.phase !== "calling_model") await ports.checkpoint(state);
    } catch (error) {
      state = breakOff(state, ports, error);
    }
  }
  return state;
}

/** Makes exactly one transition of the state machine. */
export async function step(state: State, ports: Ports): Promise<State> {
  switch (state.phase) {
    case "turn_boundary":
      return crossBoundary(state, ports);
    case "calling_model":
      return callModel(state, ports);
    case "deciding":
      return decideBatch(state, ports);
    case "executing":
      return executeBatch(state, ports);
    default:
      return state;
  }
}

/** 1. Between two turns: the only place where a limit, a stop or a steering message takes effect. A run about to end has an `ending`. */
async function crossBoundary(state: State, ports: Ports): Promise<State> {
  if (ports.signal.aborted) return end(state, ports, { status: "cancelled" });
  const verdict = await ports.boundary(state);
  if (verdict.do === "end") return end(state, ports, verdict.ending);
  if (verdict.do === "replace") return { ...state, ...verdict.by };
  if (ports.signal.aborted) return end(state, ports, { status: "cancelled" });
  const { ending, ...rest } = state;
  if (verdict.do === "append") append(state, ports, verdict.messages);
  if (verdict.do === "append") return rest;
  return ending ? end(state, ports, ending) : { ...state, phase: "calling_model", turn: state.turn + 1 };
}

/** 2. Call the model and store its response. */
async function callModel(state: State, ports: Ports): Promise<State> {
  const { turn } = state;
  const request = modelRequest(state, ports.agents[state.agent]!);
  const requested = request.model !== undefined && { model: request.model };
  ports.emit({ type: "turn_start", turn });
  ports.emit({ type: "model_start", turn, ...requested });
  const response = await ports.invokeModel(request, turn, state).catch(failed);
  const { stop_reason, raw_stop_reason = null, usage = UNKNOWN, error, model, notes } = response;
  ports.emit({ type: "model_end", turn, stop_reason, raw_stop_reason, usage, ...(error && { error }) });
  const response_start = state.session.messages.length;
  append(state, ports, asStored(response, turn));
  const answered: State = { ...state, phase: "deciding", response_start, ...(error && { error }) };
  const tool_calls = lastCalls(answered).length;
  const by = { agent: state.agent, ...requested, ...(model !== undefined && { model }), ...notes };
  state.steps.push({ turn, ...by, stop_reason, raw_stop_reason, usage, tool_calls, outcomes: [] });
  return answered;
}

/** The messages of a response without empty text [SESSION-5], marked if it was cut off [SESSION-12] or is only thinking [SESSION-14]. */
function asStored({ messages, stop_reason, model, provider }: ModelResponse, turn: number): Message[] {
  const kept = messages.filter((message) => !isText(message) || message.content !== "");
  const cutOff = stopTable[stop_reason].no_calls.do === "fail" || kept.every((message) => isType(message, "thinking"));
  const meta = { turn, ...(model !== undefined && { model }), ...(provider !== undefined && { provider }) };
  return kept.map(
    (message) =>
      ({ ...message, meta: { ...message.meta, ...meta }, ...(cutOff && { status: "incomplete" }) }) as Message,
  );
}

/** 3. Read the stop table; judge every call of the batch before any is executed. */
async function decideBatch(state: State, ports: Ports): Promise<State> {
  const calls = lastCalls(state);
  const { stop_reason } = state.steps.at(-1)!;
  const row: StopRow = stopTable[stop_reason][calls.length > 0 ? "calls" : "no_calls"];
  if (ports.signal.aborted) {
    answerAll(state, ports, row.answer === "interrupted" ? "interrupted" : "cancelled_before");
    return end(state, ports, { status: "cancelled" });
  }
  const warning = `The model stopped for ${stop_reason}, but called no tool.`;
  if (row.warning) ports.emit({ type: "warning", turn: state.turn, code: row.warning, message: warning });
  const recovers = row.do === "recover" && state.truncations < (state.options.max_truncation_recoveries ?? 3);
  if (row.answer) answerAll(state, ports, stop_reason as Situation);
  if (row.do === "fail") {
    const { error = { kind: row.error ?? "internal", message: `The response ended with ${stop_reason}.` } } = state;
    return end(state, ports, { status: "error", error });
  }
  if (recovers) return closeBatch({ ...state, truncations: state.truncations + 1 }, ports, []);
  if (row.do !== "execute")
    return endTurn({ ...state, truncations: 0, ending: { status: row.status! } }, ports, "turn_boundary");
  const decisions: CallDecision[] = [];
  for (const call of calls) decisions.push(await judge(call, state, ports));
  const decided: State = { ...state, decisions, truncations: 0 };
  const isHeld = decisions.some((one) => one.do === "ask") && state.options.approval_batch !== "eager"; // [PERMISSION-19]
  return isHeld && !ports.signal.aborted
    ? endTurn({ ...decided, ending: { status: "suspended" } }, ports, "suspended")
    : { ...decided, phase: "executing" };
}

/** 4. Execute the batch; store the results in call order, regardless of completion order. */
async function executeBatch(state: State, ports: Ports): Promise<State> {
  const answers = state.decisions.map((decision) => (decision.do === "answer" ? decision.result : undefined));
  const edited = state.decisions.map((decision) => (decision.do === "run" ? decision.input : undefined));
  const calls = lastCalls(state).map(({ id, name, input }, i) => ({ id, name, input: edited[i] ?? input ?? {} }));
  const allowed = calls.filter((_, i) => !answers[i] && (state.decisions[i]!.do === "run" || ports.signal.aborted));
  const executed = await ports.execute(allowed, (call) => executeToolCall(call, state, ports), state);
  const resultOf = new Map(executed.map(({ result }) => [result.id, result]));
  const results = calls.flatMap(({ id }, i) => answers[i] ?? resultOf.get(id) ?? []);
  if (results.length < calls.length || results.some(({ outcome }) => outcome === "suspended"))
    return endTurn({ ...state, ending: { status: "suspended" } }, ports, "suspended");
  storeResults(state, ports, results);
  return closeBatch(state, ports, executed);
}

/** What follows a batch, each of whose calls is answered. */
async function closeBatch(state: State, ports: Ports, executed: Executed[]): Promise<State> {
  const { by, ending } = await ports.settle(executed, state);
  const settled: State = { ...state, ...by, decisions: [] };
  if (ports.signal.aborted) return end(settled, ports, { status: "cancelled" });
  const fatal = executed.find((one) => one.fatal);
  if (fatal) {
    const error = { kind: "tool_fatal", message: String(fatal.result.output) } as const;
    return end(settled, ports, { status: "error", error });
  }
  return ending ? end(settled, ports, ending) : endTurn(settled, ports, "turn_boundary");
}

function endTurn(state: State, ports: Ports, phase: State["phase"]): State {
  if (state.phase !== "turn_boundary" && state.phase !== "done") ports.emit({ type: "turn_end", turn: state.turn });
  return { ...state, phase };
}

const end = (state: State, ports: Ports, ending: Ending) => endTurn({ ...state, decisions: [], ending }, ports, "done");

/** A port threw: a bug, but the session must stay valid. Open calls are answered, and the run ends. */
function breakOff(state: State, ports: Ports, error: unknown): State {
  answerAll(state, ports, state.phase === "executing" ? "broke_while_running" : "broke_before");
  return end(state, ports, { status: "error", error: { kind: "internal", message: String(error) } });
}

/** Answers every call of the last response that has no result yet. @see SESSION-6 */
function answerAll(state: State, ports: Ports, situation: Situation): void {
  const answered = new Set(lastResponse(state).map((message) => isType(message, "tool_result") && message.id));
  const open = lastCalls(state).filter(({ id }) => !answered.has(id));
  const results = open.map((call) => syntheticResult(call, resultTexts[situation].outcome, resultText(situation)));
  storeResults(state, ports, results);
}

function storeResults(state: State, ports: Ports, results: ToolResultMessage[]): void {
  const stored = results.map((result) => ({ ...result, meta: { ...result.meta, turn: state.turn } }));
  append(state, ports, stored);
  state.steps.at(-1)?.outcomes.push(...results.map(({ outcome = "ok" }) => outcome));
}

function append(state: State, ports: Ports, messages: Message[]): void {
  for (const message of messages) {
    state.session.messages.push(message);
    ports.emit({ type: "message", turn: state.turn, message });
  }
}

function failed(error: unknown): Answer {
  return { messages: [], stop_reason: "error", error: { kind: "internal", message: String(error) } };
}
