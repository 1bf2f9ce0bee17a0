// Executes a run: attaches the plug-ins in their order, composes their points, runs the core, and computes the result.

import { agentLoop as runCore, plainPoints } from "../core/agent-loop.ts";
import type { Ports, State } from "../core/ports.ts";
import { initState, SPEC_VERSION } from "../core/session.ts";
import { count } from "../state/counters.ts";
import { realClock } from "../support/clock.ts";
import { pendingCalls, withHashes } from "../state/pending-calls.ts";
import { resultOf } from "../state/run-result.ts";
import { toolHashes } from "../state/tool-hashes.ts";
import { isMade, madeOf } from "../tools/standard-schema.ts";
import type { LoopError, RunResult, Session } from "../../schemas/types.ts";
import type { Points } from "../plugins/plugin.ts";
import { begin, halted, type StartingState } from "./begin.ts";
import { closedState } from "./broken-run.ts";
import { checkSetup, UnusableSetup } from "./check-setup.ts";
import { callModel } from "./call-model.ts";
import { callTools, handlerOf } from "./call-tools.ts";
import { around, aroundRequest, compose } from "./compose.ts";
import { holdLateResults } from "./late-results.ts";
import { judgedAgain } from "./judge-again.ts";
import { keptTurns, plainTurns, type KeptTurns } from "./kept-turns.ts";
import { unknownOption } from "./known-options.ts";
import { inOrder } from "./order.ts";
import { deadlineOf, type Deadline } from "./deadline.ts";
import { openContext, type OpenContext } from "./run-context.ts";
import { Interruption } from "./rethrow.ts";
import { runStart } from "./run-start.ts";
import type { Controls, RunOutcome, RunSetup, RunSource } from "./setup.ts";
import { standard } from "./standard-plugins.ts";

/** What is needed however the run ends. */
interface Progress {
  hasStarted: boolean;
  /** The last state that is known: that of the beginning, and the one in which the loop left it. */
  last?: State;
  /** Releases the resources of the plug-ins. */
  release(): void;
}

/**
 * Runs from the first event to the last. Throws only what `rethrow` of the setup lets through: a run that fails unexpectedly also
 * ends with a result.
 * @see LOOP-27
 */
export async function executeRun(
  source: RunSource,
  setup: RunSetup,
  given: Controls,
  validateInput: Ports["validateInput"],
): Promise<RunOutcome> {
  const interruption = typeof setup.rethrow === "function" ? new Interruption(setup.rethrow) : undefined;
  const controls = interruption?.controls(given) ?? given;
  const progress: Progress = { hasStarted: false, release: () => {} };
  const turns = (mayKeep(setup) ? keptTurns : plainTurns)(holdLateResults(controls.emit));
  try {
    checkSetup(source, setup);
    const guarded = interruption?.setup(setup) ?? setup;
    const run = execute(source, guarded, { ...controls, emit: turns.emit }, progress, turns, validateInput);
    return await (interruption?.race(run) ?? run);
  } catch (thrown) {
    if (interruption?.error) throw interruption.error.value;
    return brokenOff(thrown, source, setup, controls, progress);
  } finally {
    progress.release();
  }
}

/** Whether a step of the run may be written down: by the journal, or by a plug-in of the caller. */
function mayKeep({ journal, use = [] }: RunSetup): boolean {
  return journal !== undefined || use.length > 0;
}

async function execute(
  source: RunSource,
  setup: RunSetup,
  controls: Controls,
  progress: Progress,
  turns: KeptTurns,
  validateInput: Ports["validateInput"],
): Promise<RunOutcome> {
  const start = await begin(source, setup, controls.signal, validateInput);
  const deadline = deadlineOf(start.state, setup.clock ?? realClock, controls.signal, controls.emit);
  const run = openContext(start, setup, deadline ? { ...controls, signal: deadline.signal } : controls, validateInput);
  const { points } = run;
  progress.release = onceReleased(points, deadline);
  const order = inOrder(setup, run.options);
  const plugins = "kind" in order ? standard : order;
  const conflict = "kind" in order ? order : unknownOption(run.options, plugins);
  run.attach(plugins);
  const refused = conflict ?? (await refusalOf(points, start.state));
  const ports = portsOf(run, controls, refused, deadline, turns);

  const first = refused ? halted(start.state) : start.state;
  emitStart(first, start, setup, controls, !refused && !("session" in source));
  progress.hasStarted = true;
  for (const one of points) if (one.begin) await one.begin(first);
  progress.last = first;
  progress.last = named(await runCore(await continued(source, first, run, ports), ports), points);
  const isSuspended = progress.last.phase === "suspended";
  const last = isSuspended ? await suspendable(progress.last, run) : progress.last;
  const isKeptBack = points.some((one) => one.keepsBack?.(last));
  const finalText = () => (isKeptBack ? "" : resultOf(last).final_text);
  for (const one of points.toReversed()) if (one.end) await one.end(last, finalText);
  progress.release(); // before `run_end` is emitted: its consumer may start the next run
  count(last, "elapsed_ms", run.elapsed());

  const pending = isSuspended ? await pendingCalls(last) : undefined;
  const result = resultOf(last, stillRunning(points), pending);
  if (isKeptBack) result.final_text = "";
  if (refused) result.refused = true; // [RESULT-23]
  if (result.output !== undefined) await makeOutput(result, last);
  controls.emit({ type: "run_end", result });
  return { result: isSuspended ? { ...result, snapshot: last } : result, session: last.session };
}

/** The core knows only that something threw; a plug-in may know why. @see JOURNAL-25 */
function named(state: State, points: readonly Points[]): State {
  if (state.ending?.status !== "error") return state;
  let { error } = state.ending;
  for (const one of points) error = one.failure?.() ?? error;
  return error === state.ending.error ? state : { ...state, ending: { ...state.ending, ...(error && { error }) } };
}

/** The output is what the library behind its form makes of it. */
async function makeOutput(result: RunResult, { options: { output_format } }: State): Promise<void> {
  if (!output_format || !isMade(output_format.schema)) return;
  result.output = await madeOf(output_format.schema, result.output);
}

/** Why the run must not start, if so. Prepares the plug-ins only if none refuses. */
async function refusalOf(points: readonly Points[], state: State): Promise<LoopError | undefined> {
  let refused: LoopError | undefined;
  for (const one of points) refused ??= one.refuses;
  for (const one of points) if (one.prepare && !refused) refused = await one.prepare(state);
  return refused;
}

/** The state as this run continues it: decisions of another process, or of the caller, are judged again. */
async function continued(
  source: RunSource,
  state: State,
  { points, folded }: OpenContext,
  ports: Ports,
): Promise<State> {
  if (ports.signal.aborted) return state; // nothing of the batch is executed any more
  const judged =
    "snapshot" in source
      ? await judgedAgain(points, state, ports, "resumed")
      : await judgedAgain(points, state, ports, "decided", folded);
  if (judged === state) return state;
  if (judged.phase === "suspended") ports.emit({ type: "turn_end", turn: state.turn });
  await ports.checkpoint(judged);
  return judged;
}

/** A suspended state with everything that a resume compares. @see PERMISSION-23 JOURNAL-14 */
async function suspendable(state: State, { agents }: OpenContext): Promise<State> {
  return { ...(await withHashes(state)), tools: await toolHashes(agents.definitions[state.agent]) };
}

/** All ports of the core. */
function portsOf(
  run: OpenContext,
  controls: Controls,
  refused: LoopError | undefined,
  deadline: Deadline | undefined,
  turns: KeptTurns,
): Ports {
  const { points, agents, provider, emit, signal, validateInput } = run;
  const request = aroundRequest(points, provider.invokeModel, false);
  const invokeModel = callModel(request, (turn) => (run.turn = turn), emit, signal);
  const composed = compose(points, {
    invokeModel,
    emit,
    refused,
    deadline,
    early: run.early(),
    finished: run.folded?.finished,
  });
  return {
    ...plainPoints,
    agents: run.declared(),
    emit,
    signal,
    validateInput,
    executeTool: callTools(around(points, "aroundTool", handlerOf(agents)), emit, controls.traceOf),
    ...composed,
    checkpoint: turns.around(composed.checkpoint),
  };
}

function emitStart(
  state: State,
  { agents, warnings }: StartingState,
  setup: RunSetup,
  { emit }: Controls,
  resumed: boolean,
): void {
  emit(runStart(state, setup, agents.definitions, resumed));
  if (resumed) for (const warning of warnings) emit(warning);
  const isInTurn = state.phase === "executing" || state.phase === "deciding";
  if (isInTurn) emit({ type: "turn_start", turn: state.turn, resumed });
}

/** Something threw that must not: a bug, but the consumer of the run still gets a result. */
function brokenOff(
  thrown: unknown,
  source: RunSource,
  setup: RunSetup,
  { emit }: Controls,
  { hasStarted, last }: Progress,
): RunOutcome {
  const error =
    thrown instanceof UnusableSetup ? thrown.error : ({ kind: "internal", message: String(thrown) } as const);
  const ending = { status: "error", error } as const;
  const left = last ? closedState(last, emit) : initState(sessionOf(source), setup.agent ?? "main");
  const { session } = left;
  const state = { ...left, phase: "done", ending } as const;
  if (!hasStarted) emit({ type: "run_start", agent: state.agent, session_id: session.id });
  const result = { ...resultOf(state), ...(thrown instanceof UnusableSetup && { refused: true }) };
  emit({ type: "run_end", result });
  return { result, session };
}

function stillRunning(points: readonly Points[]): { id: string; name: string }[] {
  const running = [];
  for (const one of points) if (one.stillRunning) running.push(...one.stillRunning());
  return running;
}

function onceReleased(points: readonly Points[], deadline: Deadline | undefined): () => void {
  let isHeld = true;
  return () => {
    deadline?.release();
    if (isHeld) for (const one of points) one.release?.();
    isHeld = false; // another run may hold the resources by now
  };
}

function sessionOf(source: RunSource): Session {
  if ("session" in source) return source.session;
  return "snapshot" in source ? source.snapshot.session : { spec_version: SPEC_VERSION, id: "", messages: [] };
}
