// Conducts a run: fills the five points of the core, runs it, and says what it came to.

import type { AgentWithTools, Beginning, Controls, RunSetup } from "./agent-loop.ts";
import { askInProcess, decided, pendingCalls, suspend, type Approve } from "./approval.ts";
import { announceAttempts, type AttemptEvent } from "./attempts.ts";
import { beginRun, halted } from "./begin-run.ts";
import { boundaryOf, modelSwitch, refusal, startCheck, steeringBy, stopCheck } from "./boundaries.ts";
import { budgetLimit, priceCalls, unpriced } from "./budget.ts";
import { withUniqueIds } from "./call-ids.ts";
import { realClock } from "./clock.ts";
import { compactionPoints } from "./compaction/compaction.ts";
import { mergeUpdates } from "./context-variables.ts";
import { agentLoop as runCore, plainPoints } from "./core/agent-loop.ts";
import type { ExecutableCall, Ports, State } from "./core/ports.ts";
import { count, counted } from "./counters.ts";
import { crewsOf } from "./crew.ts";
import { keepWhatWasHeard } from "./cut-off.ts";
import type { DefinedTool } from "./define-tool.ts";
import { makeInstructions } from "./dynamic-instructions.ts";
import { guardrailPoints } from "./guardrails.ts";
import { handOver } from "./handoff.ts";
import { hookPoints } from "./hook-points.ts";
import { askHooks } from "./hooks.ts";
import { askAgainWhenEmpty, continueCutText } from "./keep-going.ts";
import { lateAfterEnd } from "./late-results.ts";
import { keepJournal, noKeeper } from "./keep-journal.ts";
import { limits } from "./limits.ts";
import { continuePaused } from "./pause.ts";
import { permit } from "./permissions.ts";
import { resultOf } from "./result.ts";
import { fallBack, tryAgain, type Retrying } from "./retry.ts";
import { takeSession } from "./session-lock.ts";
import { failWhenSilent } from "./silence.ts";
import { reportCalls } from "./step-report.ts";
import { settleAll } from "./settling.ts";
import { describedConditions, stopWhen } from "./stop-conditions.ts";
import { nobodyToCall, subagentsOf } from "./subagent.ts";
import { askForForm, formOfAnswer } from "./structured-output.ts";
import { toolChoice } from "./tool-choice.ts";
import { toolHashes } from "./tool-drift.ts";
import type { Agent, LoopError, RunOptions, RunResult, Session, Tool } from "./types.ts";
import { tripwire } from "./tripwire.ts";
import { validateInput } from "./validate-input.ts";

/** From the first event to the last. Never throws. */
export async function conductRun(
  beginning: Beginning,
  setup: RunSetup,
  controls: Controls,
): Promise<{ result: RunResult; session: Session }> {
  const { signal } = controls;
  const emit = lateAfterEnd(controls.emit);
  const clock = setup.clock ?? realClock;
  const begun = clock.now();
  const agents = agentsOf(setup);
  const definitions = definitionsOf(agents);
  const { state, refused, folded, warnings } = await beginRun(beginning, setup, agents, definitions);
  const { options } = state;
  const timeoutMs = options.hook_timeout_ms === undefined ? 60_000 : options.hook_timeout_ms;
  const ask = askHooks({ hooks: setup.hooks ?? [], clock, timeoutMs, signal, emit });
  const compaction = compactionPoints(state, setup, definitions, signal, emit, ask);
  const free = takeSession(state.session.id);
  let problem =
    (free ? undefined : inUse(state.session.id)) ??
    refused ??
    misconfigured(state, agents) ??
    nobodyToCall(agents) ??
    unpriced(options, Object.values(definitions), setup.provider.model) ??
    compaction.problem;
  state.counters ??= {}; // shared by every state of the run
  const choice = toolChoice(state);
  const form = formOfAnswer(options, validateInput);
  const elapsed = () => counted(state, "elapsed_ms") + clock.now() - begun;
  const crews = crewsOf(agents, options, clock, emit, subagentsOf(setup, agents, emit, signal, elapsed));
  const wire = tripwire();
  const hooks = hookPoints(ask, wire, options);
  const guards = guardrailPoints(setup.guardrails ?? [], wire, signal, emit);
  const memory = () => ({ elapsed_ms: elapsed(), tripped: wire.tripped(), unsaid: hooks.unsaid() });
  if (state.tripped) wire.trip(state.tripped);
  const keeper = setup.journal
    ? keepJournal(setup.journal, {
        folded,
        agents: definitions,
        signal,
        now: clock.now,
        metricsOf: crews.metricsOf,
        memory,
      })
    : noKeeper;
  problem ??= await keeper.begin(state);
  const { provider } = compaction;
  const asked = choice.choosing(compaction.aroundModel(modelOf(state, { ...setup, provider }, emit, signal)));
  const ports: Ports = {
    ...plainPoints,
    agents: definitions,
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
      hooks.beforeTool(deciding(options, setup, definitions, signal), ({ name, input }, { agent }) =>
        validateInput(toolOf(definitions, agent, name).input_schema, input),
      ),
    ),
    execute: keeper.aroundBatch(guards.aroundBatch(crews.execute)),
    settle: settleAll([
      wire.settle,
      mergeUpdates,
      handOver(emit),
      stopWhen([...describedConditions(options), ...(setup.stopWhen ?? [])]),
    ]),
    checkpoint: problem ? plainPoints.checkpoint : keeper.checkpoint,
  };
  const first = problem ? halted(state) : state;
  const isInTurn = first.phase === "executing" || first.phase === "deciding";
  const resumed = !problem && !("session" in beginning);
  emit({ type: "run_start", session_id: state.session.id, agent: state.agent, ...(resumed && { resumed }) });
  if (resumed) for (const warning of warnings) emit(warning);
  if (isInTurn) emit({ type: "turn_start", turn: state.turn, resumed });
  await hooks.tell("run_start", first);
  const last = await runCore(first, ports);
  await hooks.tell("run_end", last);
  if (last.phase === "suspended") last.tools = await toolHashes(definitions[last.agent]);
  if (!problem) await keeper.end(last);
  free?.();
  count(last, "elapsed_ms", counted(last, "elapsed_ms") + clock.now() - begun);
  const result = resultOf(last, crews.running(), last.phase === "suspended" ? await pendingCalls(last) : undefined);
  emit({ type: "run_end", result });
  return { result: last.phase === "suspended" ? { ...result, snapshot: last } : result, session: last.session };
}

/** A tool of an agent that has it. */
function toolOf(agents: Record<string, Agent>, agent: string, name: string): Tool {
  return agents[agent]!.tools!.find((tool) => tool.name === name)!;
}

/** Who decides about valid calls. */
function deciding(
  { permissions }: RunOptions,
  { approve, classify }: RunSetup,
  agents: Record<string, Agent>,
  signal: AbortSignal,
): Ports["decide"] {
  if (!permissions) return plainPoints.decide;
  const schemaOf = ({ name }: ExecutableCall, { agent }: State) => toolOf(agents, agent, name).input_schema;
  const inProcess = (approver: Approve) =>
    askInProcess(approver, signal, (call, state, approval) =>
      decided(call, approval, (input) => validateInput(schemaOf(call, state), input)),
    );
  return permit({ permissions, agents, classify, ask: approve ? inProcess(approve) : suspend });
}

/** The provider, wrapped. The order matters: ids are made unique once a paused response is whole. */
function modelOf(state: State, setup: RunSetup, emit: Ports["emit"], signal: AbortSignal): Ports["invokeModel"] {
  const { options, session } = state;
  const { provider, clock = realClock, random = Math.random, newId = shortId } = setup;
  let turn = 0; // the one under way
  let attempt = 0; // of this turn
  const tell: Retrying["tell"] = (event) => emit({ ...event, turn });
  const tellAttempt = (event: AttemptEvent) => {
    if (event.type === "attempt_start") attempt += 1;
    emit({ ...event, turn, attempt });
  };
  const announced = announceAttempts(
    failWhenSilent(keepWhatWasHeard(provider.invokeModel), clock, options.model_idle_timeout_ms ?? null),
    tellAttempt,
  );
  const tried = fallBack(tryAgain(announced, options, { clock, random, tell }), state, tell);
  const whole = continuePaused(tried, options.max_pause_continuations ?? 10);
  const invokeModel = withUniqueIds(whole, session.messages, newId);
  const invoke: Ports["invokeModel"] = async (request, turnNow) => {
    if (signal.aborted) return { messages: [], stop_reason: "interrupted" };
    turn = turnNow;
    attempt = 0;
    const { attempts, ...response } = await invokeModel(request, {
      signal,
      onStream: (piece) =>
        emit(piece.type === "message_end" ? { type: piece.type, turn, index: piece.index } : { ...piece, turn }),
      warn: (code, message) => emit({ type: "warning", turn, code, message }),
    });
    return attempts ? { ...response, notes: { attempts } } : response;
  };
  return reportCalls(priceCalls(askForForm(invoke, options), state, provider.model), clock);
}

/** Short enough for every provider: OpenAI Chat Completions takes 40 characters. */
function shortId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

function agentsOf({ agents, agent = "main", instructions, model, tools }: RunSetup): Record<string, AgentWithTools> {
  const only: AgentWithTools = {
    name: agent,
    ...(instructions !== undefined && { instructions }),
    ...(model !== undefined && { model }),
    ...(tools && { tools }),
  };
  return agents ?? { [agent]: only };
}

function inUse(id: string): LoopError {
  const message = `Another run on the session ${id} is under way. Wait until it has ended, or fork the session under another id.`;
  return { kind: "session_in_use", message };
}

/** What is wrong with the agents, if anything is. @see LOOP-39 */
function misconfigured(state: State, agents: Record<string, AgentWithTools>): LoopError | undefined {
  const agent = agents[state.agent];
  const names = agent?.tools?.map(({ name }) => name) ?? [];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (agent && twice === undefined) return undefined;
  const message = agent
    ? `The agent ${state.agent} has two tools called ${twice}. Give each tool a name of its own.`
    : `There is no agent ${JSON.stringify(state.agent)}. Agents: ${Object.keys(agents).join(", ") || "none"}.`;
  return { kind: "configuration", message };
}

/** What a model and a snapshot may see of the agents: no functions. */
function definitionsOf(agents: Record<string, AgentWithTools>): Record<string, Agent> {
  const definitionOf = ({ instructions, tools, ...agent }: AgentWithTools): Agent => ({
    ...agent,
    ...(typeof instructions === "string" && { instructions }),
    ...(tools && { tools: tools.map(({ execute: _, subagent: _1, ...tool }: DefinedTool) => tool) }),
  });
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, definitionOf(agent)]));
}
