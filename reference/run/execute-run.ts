// Conducts a run: fills the five points of the core, runs it, and says what it came to.

import type { Beginning, Conducted, Controls, RunSetup } from "./run.ts";
import { agentsOf, misconfigured, toolOf } from "../tools/agents.ts";
import { pendingCalls } from "../plugins/tools/approval.ts";
import { beginRun, halted } from "./begin.ts";
import { boundaryOf, modelSwitch, refusal, startCheck, steeringBy, stopCheck } from "../plugins/turns/steering.ts";
import { budgetLimit, unpriced } from "../plugins/model/budget.ts";
import { realClock } from "../support/clock.ts";
import { compactionPoints } from "../plugins/compaction/compaction.ts";
import { mergeUpdates } from "../plugins/tools/context-variables.ts";
import { agentLoop as runCore, plainPoints } from "../core/agent-loop.ts";
import type { Ports, State } from "../core/ports.ts";
import { initState, SPEC_VERSION } from "../core/session.ts";
import { count, counted } from "../state/counters.ts";
import { crewsOf } from "./call-tools.ts";
import { deciding } from "../plugins/tools/decide-calls.ts";
import { makeInstructions } from "../plugins/model/dynamic-instructions.ts";
import { presentAgents, toolsOfTurn } from "../plugins/turns/dynamic-tools.ts";
import { guardrailPoints, noGuardrails } from "../plugins/guardrails.ts";
import { handOver } from "../plugins/tools/handoff.ts";
import { hookPoints, noHooks } from "../plugins/hooks/hooks.ts";
import { askHooks } from "../plugins/hooks/ask-hooks.ts";
import { askAgainWhenEmpty, continueCutText } from "../plugins/turns/continuation.ts";
import { keepJournal } from "../plugins/journal.ts";
import { endBroken, keepResults } from "../plugins/tools/keep-results.ts";
import { lateAfterEnd } from "../plugins/tools/late-results.ts";
import { limits } from "../plugins/turns/limits.ts";
import { modelOf } from "./call-model.ts";
import { impossibleOutput, outputTool } from "../plugins/tools/output-tool.ts";
import { unreadableRule } from "../plugins/tools/permissions.ts";
import { resultOf } from "../state/run-result.ts";
import { runStart } from "./run-start.ts";
import { takeSession } from "../plugins/turns/session-lock.ts";
import { settleAll } from "./join-verdicts.ts";
import { describedConditions, stopWhen, stopWhenFinal, unknownCondition } from "../plugins/turns/stop-conditions.ts";
import { formOfAnswer } from "../plugins/model/structured-output.ts";
import { nobodyToCall, subagentsOf } from "../plugins/tools/subagents.ts";
import { toolChoice } from "../plugins/model/tool-choice.ts";
import { toolHashes } from "../state/tool-hashes.ts";
import { noTripwire, tripwire } from "./early-ending.ts";
import type { LoopError, Session } from "../../schemas/types.ts";
import { validateInput } from "../tools/validate-input.ts";

/** What has to be known of a run however it ends. */
interface UnderWay {
  /** Whether its beginning was told. */
  isTold: boolean;
  /** The session as the loop left it, once it has ended. */
  session?: Session;
  /** Gives its session back. */
  free?: (() => void) | undefined;
}

/** From the first event to the last. Never throws: what cannot be conducted at all ends too. @see LOOP-27 */
export async function conductRun(beginning: Beginning, setup: RunSetup, controls: Controls): Promise<Conducted> {
  const under: UnderWay = { isTold: false };
  const { emit } = controls;
  try {
    return await conduct(beginning, setup, controls, under);
  } catch (thrown) {
    const session = under.session ?? sessionOf(beginning);
    const ending = { status: "error", error: { kind: "internal", message: String(thrown) } } as const;
    const state = { ...initState(session, setup.agent ?? "main"), phase: "done", ending } as const;
    if (!under.isTold) emit({ type: "run_start", agent: state.agent, session_id: session.id });
    const failed = resultOf(state);
    emit({ type: "run_end", result: failed });
    return { result: failed, session };
  } finally {
    if (under.free) under.free();
  }
}

function sessionOf(beginning: Beginning): Session {
  if ("session" in beginning) return beginning.session;
  return "snapshot" in beginning ? beginning.snapshot.session : { spec_version: SPEC_VERSION, id: "", messages: [] };
}

async function conduct(beginning: Beginning, setup: RunSetup, controls: Controls, under: UnderWay): Promise<Conducted> {
  const { signal } = controls;
  const emit = lateAfterEnd(controls.emit);
  const clock = setup.clock ?? realClock;
  const begun = clock.now();
  const agents = agentsOf(setup);
  const present = presentAgents(agents);
  const { definitions } = present;
  const { state, refused, folded, warnings } = await beginRun(beginning, setup, present, signal);
  const { options } = state;
  const output = outputTool(options);
  const declared = output.declaredIn(definitions); // to the model
  const timeoutMs = options.hook_timeout_ms === undefined ? 60_000 : options.hook_timeout_ms;
  const ask = askHooks({ hooks: setup.hooks ?? [], clock, timeoutMs, signal, emit });
  const compaction = compactionPoints(state, setup, declared, signal, emit, ask);
  const free = takeSession(state.session.id);
  under.free = free;
  let problem =
    (free ? undefined : inUse(state.session.id)) ??
    refused ??
    misconfigured(state, present.agents) ??
    nobodyToCall(present.agents) ??
    unknownCondition(options) ??
    unreadableRule(options) ??
    impossibleOutput(options, definitions) ??
    unpriced(options, definitions, setup.provider.model) ??
    compaction.problem;
  state.counters ??= {}; // shared by every state of the run
  const choice = toolChoice(state);
  const form = formOfAnswer(options, validateInput);
  const elapsed = () => counted(state, "elapsed_ms") + clock.now() - begun;
  const subagents = subagentsOf(setup, agents, emit, signal, elapsed);
  const crews = crewsOf(present.agents, options, clock, emit, subagents, controls.traceOf);
  const watched = isWatched(setup, state);
  const wire = watched ? tripwire() : noTripwire;
  const hooks = watched ? hookPoints(ask, wire, options) : noHooks;
  const guards = watched ? guardrailPoints(setup.guardrails ?? [], wire, signal, emit) : noGuardrails;
  const memory = () => ({ elapsed_ms: elapsed(), tripped: wire.tripped(), unsaid: hooks.unsaid() });
  if (state.tripped) wire.trip(state.tripped);
  const keeper =
    setup.journal &&
    keepJournal(setup.journal, { folded, agents: definitions, signal, measuredOf: crews.measuredOf, memory });
  if (keeper) problem ??= await keeper.begin(state);
  const asked = choice.choosing(compaction.aroundModel(modelOf(state, compaction.heard, emit, signal)));
  const batch = keepResults(guards.aroundBatch(crews.execute));
  const ports: Ports = {
    ...plainPoints,
    agents: declared,
    invokeModel: guards.aroundModel(hooks.aroundModel(makeInstructions(asked, agents, signal))),
    executeTool: hooks.afterTool(crews.executeTool),
    emit,
    signal,
    validateInput,
    boundary: wire.before(
      boundaryOf(
        [refusal(problem), startCheck, stopCheck(controls.isStopping), ...limits(state, clock), budgetLimit(options)],
        [
          steeringBy(controls.said),
          modelSwitch(controls.takeWantedModel, emit),
          guards.opener,
          hooks.opener,
          ...toolsOfTurn(present, signal),
          compaction.opener,
        ],
        [
          continueCutText(options),
          askAgainWhenEmpty(options),
          choice.insist,
          form.correct,
          hooks.keeper,
          guards.keeper,
        ],
        [form.refuse, guards.keeper],
        emit,
      ),
    ),
    decide: wire.guard(
      output.answering(
        hooks.beforeTool(deciding(options, setup, definitions, signal), ({ name, input }, { agent }) =>
          validateInput(toolOf(definitions, agent, name).input_schema, input),
        ),
      ),
    ),
    execute: keeper ? keeper.aroundBatch(batch) : batch,
    settle: settleAll(
      [wire.settle, output.settle],
      [endBroken, mergeUpdates, handOver(emit), stopWhenFinal],
      [stopWhen([...describedConditions(options), ...(setup.stopWhen ?? [])])],
    ),
    checkpoint: keeper && !problem ? keeper.checkpoint : plainPoints.checkpoint,
  };
  const first = problem ? halted(state) : state;
  const isInTurn = first.phase === "executing" || first.phase === "deciding";
  const resumed = !problem && !("session" in beginning);
  emit(runStart(first, setup, definitions, resumed));
  under.isTold = true;
  if (resumed) for (const warning of warnings) emit(warning);
  if (isInTurn) emit({ type: "turn_start", turn: state.turn, resumed });
  if (watched) await hooks.tell("run_start", first);
  const last = await runCore(first, ports);
  under.session = last.session;
  if (watched) await hooks.tell("run_end", last);
  if (last.phase === "suspended") {
    last.tools = await toolHashes(definitions[last.agent]);
    const unsaid = hooks.unsaid();
    if (unsaid.length > 0) last.unsaid = unsaid;
  }
  if (keeper && !problem) await keeper.end(last);
  free?.(); // before the end is told: whoever hears of it may begin the next run
  count(last, "elapsed_ms", counted(last, "elapsed_ms") + clock.now() - begun);
  const result = resultOf(last, crews.running(), last.phase === "suspended" ? await pendingCalls(last) : undefined);
  emit({ type: "run_end", result });
  return { result: last.phase === "suspended" ? { ...result, snapshot: last } : result, session: last.session };
}

/** Whether anybody may have something to say about what happens in the run, or has said it in an earlier process. */
function isWatched({ hooks = [], guardrails = [] }: RunSetup, { tripped, unsaid }: State): boolean {
  return hooks.length > 0 || guardrails.length > 0 || tripped !== undefined || unsaid !== undefined;
}

function inUse(id: string): LoopError {
  const message = `Another run on the session ${id} is under way. Wait until it has ended, or fork the session under another id.`;
  return { kind: "session_in_use", message };
}
