// Two loops that do the same work on a scripted model: the whole one with nothing configured, and one without any policy.

import type { ModelResponse, RunResult } from "../../schemas/types.ts";
import { agentLoop as runCore, plainPoints } from "../core/agent-loop.ts";
import type { Ports, Provider } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import { attemptEvents } from "../plugins/model/attempt-events.ts";
import { bounds } from "../plugins/model/bounds.ts";
import { partialResponse } from "../plugins/model/partial-response.ts";
import { pausedResponses } from "../plugins/model/paused-responses.ts";
import { retry } from "../plugins/model/retry.ts";
import { stepReport } from "../plugins/model/step-report.ts";
import { uniqueCallIds } from "../plugins/model/unique-call-ids.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { handoff } from "../plugins/tools/handoff.ts";
import { scheduling } from "../plugins/tools/scheduling.ts";
import { toolTimeout } from "../plugins/tools/tool-timeout.ts";
import { limits } from "../plugins/turns/limits.ts";
import { sessionLock } from "../plugins/turns/session-lock.ts";
import { validSession, stopRequest } from "../plugins/turns/start-and-stop.ts";
import { steering, switchModel } from "../plugins/turns/steering.ts";
import { begin } from "../run/begin.ts";
import { callModel } from "../run/call-model.ts";
import { callTools, handlerOf } from "../run/call-tools.ts";
import { aroundRequest, around, compose } from "../run/compose.ts";
import { holdLateResults } from "../run/late-results.ts";
import { openContext } from "../run/run-context.ts";
import { runStart } from "../run/run-start.ts";
import { openRun } from "../run/run.ts";
import type { RunSetup, RunSource, Controls, RunOutcome } from "../run/setup.ts";
import { count } from "../state/counters.ts";
import { agentLoop } from "../run/run.ts";
import { sessionOf } from "../state/edit-session.ts";
import { resultOf } from "../state/run-result.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import { validateBySchema as validateInput } from "../tools/validate-by-schema.ts";
import { callIdOf, DONE, inputOf, outputOf, readTool, SYSTEM, TASK, textOf } from "./turn-script.ts";

/** A conversation of so many model calls, with so many tool calls in each but the last. */
export interface IdleScenario {
  turns: number;
  calls: number;
}

/** Has one conversation. */
export type Converse = () => Promise<RunResult>;

/** Both loops, by what they are. */
export function idleSubjects(scenario: IdleScenario): Record<"whole" | "bare", Converse> {
  const said = responses(scenario);
  const converse = (run: typeof whole) => async () => {
    const result = await run(saying(said), scenario.turns);
    const expected = (scenario.turns - 1) * scenario.calls;
    if (result.final_text === DONE && result.tool_calls === expected) return result;
    throw new Error(`expected ${expected} calls and "${DONE}", came ${result.tool_calls} and "${result.final_text}"`);
  };
  return { whole: converse(whole), bare: converse(bare) };
}

/** What the model says, made once: nothing of it is part of what is measured. */
function responses({ turns, calls }: IdleScenario): ModelResponse[] {
  return Array.from({ length: turns }, (_, at): ModelResponse => {
    const turn = at + 1;
    if (turn === turns) return { messages: [{ role: "assistant", content: DONE }], stop_reason: "end_turn" };
    const made = Array.from({ length: calls }, (_unused, call) => ({
      type: "tool_call" as const,
      id: callIdOf(turn, call),
      name: readTool.name,
      input: { ...inputOf(turn, call) },
    }));
    return { messages: [{ role: "assistant", content: textOf(turn) }, ...made], stop_reason: "tool_use" };
  });
}

/** A model that says what the scenario has, once. */
export function scripted(scenario: IdleScenario): Provider {
  return saying(responses(scenario));
}

function saying(said: ModelResponse[]): Provider {
  let turn = 0;
  return { name: "scripted", invokeModel: async () => said[turn++]! };
}

const answer = outputOf(inputOf(1, 0));
const tool: DefinedTool = { ...readTool, execute: () => answer };

function whole(provider: Provider, turns: number): Promise<RunResult> {
  const session = initSession({ id: "idle", user: TASK });
  const tools = [tool];
  return agentLoop({ provider, session, instructions: SYSTEM, tools, options: { max_turns: turns } }).result;
}

/**
 * What every run has, wired by hand: agents and their tools, a beginning and an end, events, limits, steering, model calls, and
 * tool calls that are validated, scheduled, waited for and reported. Nothing of it knows hooks, permissions, approval,
 * guardrails, compaction, journals, budgets, forms of output, conditions to stop, or instructions and tools that are made anew.
 */
function bare(provider: Provider, turns: number): Promise<RunResult> {
  const setup: RunSetup = { provider, instructions: SYSTEM, tools: [tool], options: { max_turns: turns } };
  const session = sessionOf({ session: initSession({ id: "idle", user: TASK }) });
  const conduct = async (controls: Controls) => {
    await LOADED;
    return execute({ session }, setup, controls);
  };
  const startNone = () => {
    throw new Error("The run by hand has no subagents.");
  };
  return openRun(setup, conduct, startNone).result;
}

/** The whole loop too waits for what executes its runs, though it was loaded with the first one. */
const LOADED = Promise.resolve();

/** What a run cannot do without, outermost first. */
const ALWAYS: readonly Plugin[] = [
  sessionLock,
  validSession,
  stopRequest,
  limits,
  steering,
  switchModel,
  stepReport,
  handoff,
  toolTimeout,
  scheduling,
  uniqueCallIds,
  pausedResponses,
  retry,
  attemptEvents,
  bounds,
  partialResponse,
];

async function execute(source: RunSource, setup: RunSetup, controls: Controls): Promise<RunOutcome> {
  const emit = holdLateResults(controls.emit);
  const begun = await begin(source, setup, controls.signal, validateInput);
  const run = openContext(begun, setup, { ...controls, emit }, validateInput);
  const { points } = run;
  run.attach(ALWAYS);
  try {
    const { provider, agents, signal } = run;
    const request = aroundRequest(points, provider.invokeModel, false);
    const invokeModel = callModel(request, (turn) => (run.turn = turn), emit, signal);
    const ports: Ports = {
      ...plainPoints,
      agents: agents.definitions,
      emit,
      signal,
      validateInput,
      executeTool: callTools(around(points, "aroundTool", handlerOf(agents)), emit),
      ...compose(points, {
        invokeModel,
        emit,
        refused: undefined,
        early: undefined,
        deadline: undefined,
        finished: undefined,
      }),
    };
    emit(runStart(begun.state, setup, agents.definitions, false));
    const last = await runCore(begun.state, ports);
    for (const one of points) one.release?.();
    count(last, "elapsed_ms", run.elapsed());
    const result = resultOf(last);
    emit({ type: "run_end", result });
    return { result, session: last.session };
  } finally {
    for (const one of points) one.release?.();
  }
}
