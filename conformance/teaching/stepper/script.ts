// What a run can be played again from: what the model said in each turn, and what the tools answered.

import type {
  CallDecision,
  Ending,
  Message,
  ModelResponse,
  Phase,
  RunOptions,
  ToolResultMessage,
} from "../../../schemas/types.ts";

/** One turn: a response, the results of its calls as far as they are known, and what was appended after them. */
export interface Turn {
  response: ModelResponse;
  results: ToolResultMessage[];
  later: Message[];
  /** What was decided about the calls, where that is known. */
  decisions?: CallDecision[];
}

/** A run, and what was said before it. */
export interface ScriptedRun {
  history: Message[];
  turns: Turn[];
  /** How it ended where its last response does not end it, if that is known. */
  ending?: Ending;
  /** Where it was left. Absent: as far as it can be played. */
  until?: Phase;
}

/** The runs of a session, one after another. */
export interface Script {
  id: string;
  agent: string;
  instructions?: string;
  options: RunOptions;
  runs: ScriptedRun[];
}

/** The turns of a session, and what stands before the first of them. A session has no stop reasons: they are what follows fits. */
export function turnsOf(messages: readonly Message[]): { before: Message[]; turns: Turn[] } {
  const first = messages.findIndex(isOfModel);
  if (first < 0) return { before: [...messages], turns: [] };
  const turns: Turn[] = [];
  for (const message of messages.slice(first)) {
    const turn = turns.at(-1);
    if (message.type === "tool_result") turn?.results.push(message);
    else if (!isOfModel(message)) turn?.later.push(message);
    else if (turn && goesOn(turn, message)) turn.response.messages.push(message);
    else turns.push({ response: { messages: [message], stop_reason: "end_turn" }, results: [], later: [] });
  }
  for (const { response, results } of turns) response.stop_reason = stopReasonOf(response.messages, results);
  return { before: messages.slice(0, first), turns };
}

/**
 * The runs that turns belong to: where a response ended a run and a person said something, another one began.
 * @param history what stands before the first turn
 */
export function runsOf(history: Message[], turns: readonly Turn[]): ScriptedRun[] {
  const runs: ScriptedRun[] = [{ history, turns: [] }];
  for (const turn of turns) {
    const run = runs.at(-1)!;
    if (isCancelled(turn)) run.ending = { status: "cancelled" };
    const isLast = endsRun(turn);
    run.turns.push(isLast ? { ...turn, later: [] } : turn);
    if (isLast) runs.push({ history: turn.later, turns: [] });
  }
  return runs;
}

/** Whether a message was made by a model. */
export function isOfModel({ role, type }: Message): boolean {
  return type === undefined ? role === "assistant" : type !== "tool_result";
}

/** A response is one run of messages of one turn. */
function goesOn({ response, results, later }: Turn, message: Message): boolean {
  const turnOf = (one: Message) => ("meta" in one ? one.meta?.turn : undefined);
  return results.length === 0 && later.length === 0 && turnOf(response.messages[0]!) === turnOf(message);
}

function endsRun(turn: Turn): boolean {
  const { response, results, later } = turn;
  const isOver = results.length === 0 || response.stop_reason === "interrupted" || isCancelled(turn);
  return (
    isOver && later.some((message) => message.role !== undefined && !("synthetic" in message && message.synthetic))
  );
}

function isCancelled({ results }: Turn): boolean {
  return results.some(({ outcome }) => outcome === "cancelled");
}

function stopReasonOf(
  messages: readonly Message[],
  results: readonly ToolResultMessage[],
): ModelResponse["stop_reason"] {
  const isThought = messages.every(({ type }) => type === "thinking");
  if (!isThought && messages.some((message) => "status" in message && message.status === "incomplete"))
    return "interrupted";
  if (!messages.some(({ type }) => type === "tool_call")) return "end_turn";
  const isCutOff = results.length > 0 && results.every(({ outcome }) => outcome === "not_executed");
  return isCutOff ? "max_tokens" : "tool_use";
}
