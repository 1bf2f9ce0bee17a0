// Plays a script on the core of the reference, step by step: the transitions are those that the core makes.

import { plainPoints, step } from "../../../reference/core/agent-loop.ts";
import { ToolError } from "../../../reference/core/execute-tool-calls.ts";
import type { EventBody, Ports, State } from "../../../reference/core/ports.ts";
import { initState, lastCalls, SPEC_VERSION } from "../../../reference/core/session.ts";
import { resultOf } from "../../../reference/state/run-result.ts";
import type {
  CallDecision,
  LoopEvent,
  Message,
  Outcome,
  PendingCall,
  Phase,
  Tool,
  ToolCallMessage,
  ToolResultMessage,
} from "../../../schemas/types.ts";
import type { Script, ScriptedRun, Turn } from "./script.ts";

/** Outcomes of calls that were answered without a tool. */
const withoutTool: readonly Outcome[] = ["unknown_tool", "invalid_arguments", "denied", "skipped", "not_executed"];

/**
 * The events of the runs of a script, as far as it goes: a run whose last results are unknown ends before it stores them.
 * `reached` is the phase in which the last one was left.
 */
export async function playScript(script: Script): Promise<{ events: LoopEvent[]; reached: Phase }> {
  const events: LoopEvent[] = [];
  let messages: Message[] = [];
  let reached: Phase = "turn_boundary";
  for (const run of script.runs) {
    const session = { spec_version: SPEC_VERSION, id: script.id, messages: [...messages, ...run.history] };
    const state = await playRun(script, run, initState(session, script.agent, script.options), events);
    ({ messages } = state.session);
    reached = state.phase;
  }
  return { events, reached };
}

async function playRun(script: Script, run: ScriptedRun, begun: State, events: LoopEvent[]): Promise<State> {
  const tools = toolsOf(run);
  let seq = 0;
  const emit = (event: EventBody): void => void events.push({ ...asRecorded(event, run), seq: seq++ } as LoopEvent);
  const ports = portsOf(script, run, tools, emit);
  let state = begun;
  emit({ type: "run_start", agent: state.agent, session_id: script.id, tools: tools.map(({ name }) => name) });
  while (state.phase !== "done" && state.phase !== "suspended" && !isAllPlayed(state, run))
    state = await step(state, ports);
  if (state.ending && (state.phase === "done" || state.phase === "suspended"))
    emit({ type: "run_end", result: resultOf(state, [], state.phase === "suspended" ? pendingOf(state) : undefined) });
  if (state.phase !== "suspended" || run.until !== "executing") return state;
  // What left the caller's hands again was resumed.
  seq = 0;
  emit({ type: "run_start", agent: state.agent, session_id: script.id, resumed: true });
  emit({ type: "turn_start", turn: state.turn, resumed: true });
  return { ...state, phase: "executing" };
}

function portsOf(script: Script, run: ScriptedRun, tools: Tool[], emit: Ports["emit"]): Ports {
  const { instructions, agent } = script;
  const { turns, ending } = run;
  const turnOf = ({ turn }: State): Turn | undefined => turns[turn - 1];
  const appended = new Set<number>();
  return {
    ...plainPoints,
    agents: { [agent]: { name: agent, tools, ...(instructions !== undefined && { instructions }) } },
    invokeModel: async (_, turn) => structuredClone(turns[turn - 1]!.response),
    executeTool: async ({ id }, _, state) => {
      const { output, is_error, outcome = "ok", synthetic } = resultIn(turnOf(state), id) ?? notKept;
      if (outcome === "ok" || (outcome === "error" && !synthetic)) return { output, ...(is_error && { is_error }) };
      throw new ToolError(String(output), { outcome });
    },
    emit,
    signal: new AbortController().signal,
    validateInput: async () => [],
    boundary: async (state) => {
      const { turn } = state;
      const later = turnOf(state)?.later ?? [];
      if (later.length > 0 && !appended.has(turn)) {
        appended.add(turn);
        return { do: "append", messages: later };
      }
      if (ending && !state.ending && turn >= turns.length) return { do: "end", ending };
      return { do: "continue" };
    },
    decide: async ({ id }, state): Promise<CallDecision> => {
      const turn = turnOf(state);
      const known = turn?.decisions?.[lastCalls(state).findIndex((call) => call.id === id)];
      if (known) return known;
      const result = resultIn(turn, id);
      if (!result) return run.until === "suspended" ? { do: "ask" } : { do: "run" };
      return withoutTool.includes(result.outcome ?? "ok") ? { do: "answer", result } : { do: "run" };
    },
  };
}

const notKept: Pick<ToolResultMessage, "output" | "is_error" | "outcome" | "synthetic"> = { output: "(not recorded)" };

function resultIn(turn: Turn | undefined, id: string): ToolResultMessage | undefined {
  return turn?.results.find((result) => result.id === id);
}

/** Whether the recorded turns are used up. */
function isAllPlayed(state: State, { turns, until, ending }: ScriptedRun): boolean {
  const { phase, turn } = state;
  const isLast = turn >= turns.length;
  if (turn > turns.length) return true;
  if (isLast && phase === until && turn > 0) return true;
  switch (phase) {
    case "turn_boundary":
      return isLast && !state.ending && !ending && until !== "calling_model" && !hasMore(state, turns);
    case "executing":
      return (
        isLast &&
        until !== "suspended" &&
        !lastCalls(state).every(({ id }, at) => isKnown(state.decisions[at], turns[turn - 1], id))
      );
    default:
      return false;
  }
}

/** Whether something was appended after the turn, and is not in the session yet. */
function hasMore({ turn, session }: State, turns: readonly Turn[]): boolean {
  const last = turns[turn - 1]?.later.at(-1);
  return last !== undefined && session.messages.at(-1) !== last;
}

function isKnown(decision: CallDecision | undefined, turn: Turn | undefined, id: string): boolean {
  return decision?.do === "answer" || resultIn(turn, id) !== undefined;
}

/** The text of an answer that the core makes up is the one that was recorded. */
function asRecorded(event: EventBody, { turns }: ScriptedRun): EventBody {
  if (event.type !== "message" || event.message.type !== "tool_result") return event;
  return { ...event, message: resultIn(turns[event.turn - 1], event.message.id) ?? event.message };
}

/** Every tool that was called, and known: a name's meaning follows from the outcomes of its calls. */
function toolsOf({ turns }: ScriptedRun): Tool[] {
  const calls = turns.flatMap(({ response, results }) =>
    response.messages.filter((message): message is ToolCallMessage => {
      if (message.type !== "tool_call") return false;
      return results.find(({ id }) => id === message.id)?.outcome !== "unknown_tool";
    }),
  );
  return [...new Set(calls.map(({ name }) => name))].map((name) => ({ name, input_schema: { type: "object" } }));
}

function pendingOf(state: State): PendingCall[] {
  return lastCalls(state).flatMap(({ id, name, input }, at) => {
    const decision = state.decisions[at];
    if (decision?.do !== "ask") return [];
    return [{ id, name, input: input ?? {}, why: decision.approval ? "approval" : "external" }];
  });
}
