// Checks the input and output of a run; a check that trips ends the run.

import { isType, lastCalls, lastResponse, resultText, syntheticResult } from "../core/session.ts";
import { outputCall, finalText, formByTool, isCutOff } from "../state/output.ts";
import { denied } from "../state/tool-results.ts";
import { oneByOne } from "../core/execute-tool-calls.ts";
import type { ExecutableCall, Executed, Ports, State } from "../core/ports.ts";
import { raceAbort } from "../support/until-aborted.ts";
import type {
  Ending,
  GuardrailCheck,
  GuardrailFilter,
  GuardrailFinding,
  GuardrailPoint,
  Message,
  StopReason,
  ToolResultMessage,
} from "../../schemas/types.ts";
import { askedOf, notExecuted } from "../state/partial-batch.ts";
import type { Plugin, Points, Boundary, RunContext } from "./plugin.ts";
import { clone } from "../support/clone.ts";

/** A check of the caller. */
export interface Guardrail extends GuardrailFilter {
  check(payload: GuardrailCheck, signal: AbortSignal): GuardrailFinding | Promise<GuardrailFinding>;
}

export interface GuardrailSetup {
  /** Checks of input and output, called in this order. @see GUARDRAIL-1 */
  guardrails?: Guardrail[];
}

export const guardrails: Plugin<GuardrailSetup> = {
  name: "guardrails",
  setup: ["guardrails"],
  attach(run) {
    const { guardrails: checks = [] } = run.setup;
    if (checks.length > 0) return guardrailPoints(checks, run);
  },
};

function guardrailPoints(
  guardrails: Guardrail[],
  { signal, emit, folded, state: begun, ...run }: RunContext<GuardrailSetup>,
): Points {
  const early = run.earlyEnding();
  const atStart = begun.session.messages.length; // the session is another one as soon as a message is added
  const finishedBefore = new Set(folded?.finished.keys());
  const areAskedAt = (point: GuardrailPoint) => guardrails.some(({ points }) => points.includes(point));
  let passedTurn = begun.turn; // the last turn whose response every guardrail has let pass

  /** Calls the guardrails of a point. @returns the ending, if one trips @see GUARDRAIL-9 GUARDRAIL-10 GUARDRAIL-11 */
  async function ask(payload: GuardrailCheck): Promise<Ending | undefined> {
    for (const guardrail of guardrails) {
      const { name, points } = guardrail;
      if (!points.includes(payload.point)) continue;
      if (signal.aborted) return undefined; // the run ends anyway
      const { trip, reason, severity } = await found(guardrail, payload);
      const by = { name, point: payload.point, ...(severity && { severity }) };
      if (trip) return { status: "guardrail", guardrail: by, ...(reason && { reason }) };
      if (!reason) continue;
      const message = `${name}: ${reason}`;
      emit({ type: "warning", turn: payload.turn, code: "guardrail_finding", message, guardrail: by });
    }
    return undefined;
  }

  /** @see GUARDRAIL-8 */
  async function found(guardrail: Guardrail, payload: GuardrailCheck): Promise<GuardrailFinding> {
    const over = new AbortController();
    try {
      // A copy: a guardrail must not change anything.
      const checked = (async () => guardrail.check(clone(payload), over.signal))();
      const finding = await raceAbort(checked, signal, () => ({ trip: false }));
      if (typeof finding?.trip === "boolean") return finding;
      throw new Error(`expected a finding { trip: true or false, reason? }, got ${JSON.stringify(finding)}`);
    } catch (error) {
      return { trip: true, reason: `the check failed: ${error instanceof Error ? error.message : String(error)}` };
    } finally {
      over.abort(CHECKED);
    }
  }

  /**
   * The batch of a run that ends: every call without a result is denied, including those that wait for the caller. One whose
   * subagent waits was begun, and is broken off.
   * @see PERMISSION-35 SUBAGENT-18
   */
  function closed(calls: ExecutableCall[], executed: Executed[], state: State): Executed[] {
    const why = early.ending()?.reason ?? "the run ends";
    const byId = new Map(executed.map((one) => [one.result.id, one]));
    const { unfinished = {} } = state;
    delete state.unfinished;
    return [...calls, ...askedOf(calls, state)].map((call) => {
      const one = byId.get(call.id);
      if (one ? one.result.outcome === "suspended" : unfinished[call.id]?.snapshot) return brokenOff(call);
      return one ?? { result: denied(call, why).result };
    });
  }

  const at = (point: GuardrailPoint, { turn, agent, session }: State): GuardrailCheck => ({
    point,
    turn,
    agent,
    session_id: session.id,
  });
  let isOpen = false;

  const beforeEnd: Boundary = async (state) => {
    if (state.ending?.status !== "completed") return { do: "continue" };
    const output = outputCall(state)?.input;
    const text = output ? JSON.stringify(output) : finalText(state);
    const ending = await ask({ ...at("final_output", state), text });
    if (!ending) return { do: "continue" };
    refuseResponse(state, ending, emit);
    return { do: "end", ending };
  };

  return {
    aroundModel: (invokeModel) => async (request, turn, state) => {
      const answer = await invokeModel(request, turn, state);
      if (early.ending() || FAILED.includes(answer.stop_reason)) return answer;
      const ending = await ask({ ...at("model_output", state), turn, messages: answer.messages });
      if (!signal.aborted) passedTurn = turn;
      if (!ending) return answer;
      early.end(ending);
      return { ...answer, messages: answer.messages.map((message) => refused(marked(message, ending))) };
    },

    aroundBatch: (execute) => async (calls, run, state) => {
      // What was executed before the process ended has a result, and may not have been looked at. [GUARDRAIL-20]
      const isFinished = ({ id }: ExecutableCall) => finishedBefore.has(id);
      const waits = ({ id }: ExecutableCall) => state.unfinished?.[id]?.snapshot !== undefined; // [GUARDRAIL-26]
      const open = notExecuted(calls, state).filter((call) => !isFinished(call) && !waits(call));
      for (const call of open) {
        if (early.ending()) break;
        const ending = await ask({ ...at("tool_input", state), call });
        if (ending) early.end(ending);
      }
      const before = calls.flatMap(({ id }) => state.unfinished?.[id]?.executed ?? []);
      const tripped = new Map<string, Ending>(); // by call
      const checked: Parameters<Ports["execute"]>[1] = async (call) => {
        const executed = await run(call);
        const { output, synthetic } = executed.result;
        const ending = synthetic ? undefined : await ask({ ...at("tool_output", state), call, output });
        if (!ending) return executed;
        tripped.set(call.id, ending);
        return { ...executed, result: marked(executed.result, ending) };
      };
      // Which of two overlapping tools ends first is chance: the first call counts. [GUARDRAIL-22]
      const endAtFirst = () => {
        const first = calls.find(({ id }) => tripped.has(id));
        if (first) early.end(tripped.get(first.id)!);
      };
      if (early.ending())
        return closed(calls, [...before, ...(await oneByOne(calls.filter(isFinished), checked))], state);
      const executed = await execute(calls, checked, state).finally(endAtFirst);
      return early.ending() ? closed(calls, executed, state) : executed;
    },

    keepsBack(state) {
      const isUnseen = areAskedAt("model_output") && passedTurn < state.turn;
      const isUnfinished = areAskedAt("final_output") && lastCalls(state).length === 0;
      return isCutOff(state) && (isUnseen || isUnfinished);
    },

    // Comes last: what passes it is final. [GUARDRAIL-6]
    betweenTurns: {
      async beforeTurn(state) {
        if (isOpen || state.turn > 0) return { do: "continue" };
        const messages = state.session.messages.slice(0, atStart); // what was said to the run since is not its input [GUARDRAIL-18]
        const input = messages.slice(messages.findLastIndex(({ role }) => role !== "user") + 1);
        const ending = input.length > 0 ? await ask({ ...at("input", state), messages: input }) : undefined;
        isOpen = ending === undefined; // once: a message added before the first turn is not input
        return ending ? { do: "end", ending } : { do: "continue" };
      },
      beforeEnd,
      lastWord: beforeEnd,
    },
  };
}

/** Marks the last response after it was stored. The session is a new one: a journal sees changes of the last message only. @see GUARDRAIL-14 GUARDRAIL-15 */
function refuseResponse(state: State, ending: Ending, emit: Ports["emit"]): void {
  const [from, to] = [state.response_start, state.session.messages.length];
  const executed = executedIn(state);
  const isKept = (message: Message) =>
    isType(message, "thinking") ? executed.size > 0 : "id" in message && executed.has(message.id as string);
  const messages = lastResponse(state).map((one) => (isKept(one) ? one : refused(marked(one, ending))));
  state.session = { ...state.session, messages: [...state.session.messages.slice(0, from), ...messages] };
  emit({ type: "amendment", turn: state.turn, from, to, messages });
}

/** The ids of the calls of the last response whose tools were started. Nothing is executed for the output tool. */
function executedIn(state: State): Set<string> {
  const output = formByTool(state.options)?.name;
  const own = new Set(lastCalls(state).flatMap(({ id, name }) => (name === output ? [id] : [])));
  const results = lastResponse(state).filter((message) => isType(message, "tool_result"));
  const executed = results.filter(({ id, outcome }) => !own.has(id) && !NOT_EXECUTED.includes(outcome));
  return new Set(executed.map(({ id }) => id));
}

/** What the result of a call says whose tool was never started. */
const NOT_EXECUTED: ToolResultMessage["outcome"][] = [
  "invalid_arguments",
  "unknown_tool",
  "denied",
  "skipped",
  "not_executed",
];

/** These are not complete responses: the run fails, or is cancelled. */
const FAILED: StopReason[] = ["error", "interrupted", "pause"];

/** A constant reason: the default one is a new error each time, with a stack trace. */
const CHECKED = "checked";

/** A message that is in no later request. @see GUARDRAIL-13 GUARDRAIL-14 */
function refused<M extends Message>(message: M): M {
  return { ...message, status: "incomplete" };
}

/** @see GUARDRAIL-7 GUARDRAIL-14 */
function brokenOff(call: { id: string }): Executed {
  return { result: syntheticResult(call, "interrupted", resultText("broke_while_running")) };
}

function marked<M extends Message>(message: M, { guardrail }: Ending): M {
  return { ...message, meta: { ...(message.meta as object), guardrail: guardrail!.name } };
}
