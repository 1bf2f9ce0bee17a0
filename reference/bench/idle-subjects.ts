// Two loops that do the same work on a scripted model: the whole one with nothing configured, and one without any policy.

import { agentLoop, openRun, type Beginning, type Conducted, type Controls, type RunSetup } from "../run/run.ts";
import { agentsOf, misconfigured } from "../tools/agents.ts";
import { beginRun } from "../run/begin.ts";
import { boundaryOf, modelSwitch, refusal, startCheck, steeringBy, stopCheck } from "../plugins/turns/steering.ts";
import { realClock } from "../support/clock.ts";
import { agentLoop as runCore, plainPoints } from "../core/agent-loop.ts";
import type { Ports, Provider } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import { count } from "../state/counters.ts";
import { crewsOf } from "../run/call-tools.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import { presentAgents } from "../plugins/turns/dynamic-tools.ts";
import { keepResults } from "../plugins/tools/keep-results.ts";
import { lateAfterEnd } from "../plugins/tools/late-results.ts";
import { limits } from "../plugins/turns/limits.ts";
import { modelOf } from "../run/call-model.ts";
import { resultOf } from "../state/run-result.ts";
import { runStart } from "../run/run-start.ts";
import { sessionOf } from "../state/edit-session.ts";
import { takeSession } from "../plugins/turns/session-lock.ts";
import type { Subagents } from "../plugins/tools/subagents.ts";
import type { ModelResponse, RunResult } from "../../schemas/types.ts";
import { validateInput } from "../tools/validate-input.ts";
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
 * What every run has, and nothing else: agents and their tools, a beginning and an end, events, limits, steering, model calls, and
 * tool calls that are validated, scheduled, waited for and reported. Nothing of it knows hooks, permissions, approval,
 * guardrails, compaction, journals, budgets, forms of output, conditions to stop, or instructions and tools that are made anew.
 */
function bare(provider: Provider, turns: number): Promise<RunResult> {
  const setup: RunSetup = { provider, instructions: SYSTEM, tools: [tool], options: { max_turns: turns } };
  const session = sessionOf({ session: initSession({ id: "idle", user: TASK }) });
  return openRun(setup, async (controls) => {
    await LOADED;
    return conductRun({ session }, setup, controls);
  }).result;
}

/** The whole loop too waits for what conducts its runs, though it was loaded with the first one. */
const LOADED = Promise.resolve();

/** What has to be done however a run ends. */
interface UnderWay {
  free?: (() => void) | undefined;
}

async function conductRun(beginning: Beginning, setup: RunSetup, controls: Controls): Promise<Conducted> {
  const under: UnderWay = {};
  try {
    return await conduct(beginning, setup, controls, under);
  } finally {
    under.free?.();
  }
}

async function conduct(
  beginning: Beginning,
  setup: RunSetup,
  { signal, said, emit: tell, ...controls }: Controls,
  under: UnderWay,
): Promise<Conducted> {
  const emit = lateAfterEnd(tell);
  const begun = realClock.now();
  const present = presentAgents(agentsOf(setup));
  const { state } = await beginRun(beginning, setup, present, signal);
  under.free = takeSession(state.session.id);
  state.counters = {};
  const problem = misconfigured(state, present.agents);
  const crews = crewsOf(present.agents, state.options, realClock, emit, noSubagents);
  const ports: Ports = {
    ...plainPoints,
    agents: present.definitions,
    emit,
    signal,
    validateInput,
    invokeModel: modelOf(state, setup, emit, signal),
    execute: keepResults(crews.execute),
    executeTool: crews.executeTool,
    boundary: boundaryOf(
      [refusal(problem), startCheck, stopCheck(controls.isStopping), ...limits(state, realClock)],
      [steeringBy(said), modelSwitch(controls.takeWantedModel, emit)],
      [],
      [],
      emit,
    ),
  };
  emit(runStart(state, setup, present.definitions, false));
  const last = await runCore(state, ports);
  under.free?.();
  count(last, "elapsed_ms", realClock.now() - begun);
  const result = resultOf(last, crews.running());
  emit({ type: "run_end", result });
  return { result, session: last.session };
}

const noSubagents: Subagents = {
  answer: () => Promise.reject(new Error("there are no subagents")),
  aroundBatch: (execute) => execute,
};
