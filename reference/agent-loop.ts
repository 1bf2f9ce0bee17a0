// The loop as people import it: the core with its points filled in, an event stream, and verbs to break off.

import { boundaryOf, configurationCheck, startCheck, steeringBy, stopCheck } from "./boundaries.ts";
import { withUniqueIds } from "./call-ids.ts";
import { realClock, type Clock } from "./clock.ts";
import { agentLoop as runCore, plainPoints } from "./core/agent-loop.ts";
import type { EventBody, ExecutableCall, Ports, Provider, State, ToolContext, ToolOutput } from "./core/ports.ts";
import { initState } from "./core/session.ts";
import { keepWhatWasHeard } from "./cut-off.ts";
import type { DefinedTool } from "./define-tool.ts";
import { EventStream } from "./event-stream.ts";
import { askAgainWhenEmpty, continueCutText } from "./keep-going.ts";
import { limits } from "./limits.ts";
import { continuePaused } from "./pause.ts";
import { resultOf } from "./result.ts";
import { fallBack, tryAgain, type Retrying } from "./retry.ts";
import { resumeState } from "./resume.ts";
import { schedule } from "./scheduling.ts";
import { describedConditions, stopWhen, type StopCondition } from "./stop-conditions.ts";
import { waitForTools } from "./tool-waiting.ts";
import type {
  Agent,
  LoopEvent,
  Message,
  Part,
  ResumeDecision,
  RunOptions,
  RunResult,
  Session,
  Snapshot,
} from "./types.ts";
import { validateInput } from "./validate-input.ts";

/** An agent whose tools have handlers. */
export type AgentWithTools = Omit<Agent, "tools"> & { tools?: DefinedTool[] };

/** What a run needs, whether it starts or resumes. Either `agents` and `agent`, or the fields of a single agent. */
export interface RunSetup {
  provider: Provider;
  agents?: Record<string, AgentWithTools>;
  /** The active agent. Default: the only one. */
  agent?: string;
  instructions?: string;
  model?: string;
  tools?: DefinedTool[];
  options?: RunOptions;
  /** Conditions of your own, asked after those of `options.stop_when`. @see LOOP-48 */
  stopWhen?: StopCondition[];
  /** Cancels the run when it aborts. */
  signal?: AbortSignal;
  clock?: Clock;
  /** A number from 0 to 1, for the jitter of retries. Default: Math.random. */
  random?: () => number;
  /** Makes ids for calls that came without one. */
  newId?: () => string;
}

/** A run in progress. Iterate it for its events; iterators that are made before the first `await` miss none. */
export interface Run extends AsyncIterable<LoopEvent> {
  /** What the run came to. Never rejects. With status `suspended` it has the snapshot that `resume` needs. */
  readonly result: Promise<RunResult>;
  /** The session after the run. Never rejects; the session that was passed in is not touched. */
  readonly session: Promise<Session>;
  /** Breaks off at once. @see CANCEL-1 */
  cancel(): void;
  /** Lets the turn finish first. @see LOOP-29 */
  stop(): void;
  /** Says something to the model before it is called again. After the end of the run nobody hears it. @see LOOP-53 */
  steer(content: string | Part[]): void;
}

/**
 * Runs an agent on a session until it has nothing more to do, a limit is reached, or somebody breaks off.
 *
 * @see LOOP-1 in spec/loop.md
 */
export function agentLoop(setup: RunSetup & { session: Session }): Run {
  const { agents, active } = agentsOf(setup);
  const limits = agents[active]?.limits;
  return start(initState(setup.session, active, { ...setup.options, ...limits }), agents, setup);
}

/**
 * Continues a suspended run, in this process or in another, with one decision for each pending call.
 * @see LOOP-36
 */
export function resume(setup: RunSetup & { snapshot: Snapshot; decisions: ResumeDecision[] }): Run {
  const { agents } = agentsOf(setup);
  const resumed = resumeState(setup.snapshot, setup.decisions);
  if ("state" in resumed) return start(resumed.state, agents, setup);
  const { ending: _, ...suspended } = setup.snapshot;
  return start({ ...suspended, phase: "turn_boundary" }, agents, setup, resumed.refused);
}

function start(state: State, agents: Record<string, AgentWithTools>, setup: RunSetup, refused?: string): Run {
  const cancel = new AbortController();
  const signal = setup.signal ? AbortSignal.any([setup.signal, cancel.signal]) : cancel.signal;
  const events = new EventStream();
  const said: Message[] = [];
  let stopping = false;
  const emit = (event: EventBody) => events.emit(event);
  const tools = toolsOf(state, agents, setup, emit);
  const ports: Ports = {
    ...plainPoints,
    agents: definitionsOf(agents),
    invokeModel: modelOf(state, setup, emit, signal),
    executeTool: tools.execute,
    emit,
    signal,
    validateInput,
    boundary: boundaryOf(
      [
        configurationCheck(refused ?? misconfigured(state, agents)),
        startCheck,
        stopCheck(() => stopping),
        ...limits(state.options, setup.clock ?? realClock),
      ],
      steeringBy(said),
      [continueCutText(state.options), askAgainWhenEmpty(state.options)],
    ),
    execute: schedule(state.options, agents[state.agent]?.tools ?? []),
    settle: stopWhen([...describedConditions(state.options), ...(setup.stopWhen ?? [])]),
  };
  const resumed = state.phase === "executing";
  const ended = Promise.resolve().then(async () => {
    // later, so that iterators can be made first
    emit({ type: "run_start", session_id: state.session.id, agent: state.agent, ...(resumed && { resumed }) });
    if (resumed) emit({ type: "turn_start", turn: state.turn, resumed });
    const last = await runCore(state, ports);
    const result = resultOf(last, tools.running());
    emit({ type: "run_end", result });
    return { last, result };
  });
  return {
    [Symbol.asyncIterator]: () => events.iterate(),
    result: ended.then(({ last, result }) => (last.phase === "suspended" ? { ...result, snapshot: last } : result)),
    session: ended.then(({ last }) => last.session),
    cancel: () => cancel.abort(),
    stop: () => void (stopping = true),
    steer: (content) => void said.push({ role: "user", content }),
  };
}

/** The provider, wrapped. The order matters: ids are made unique once a paused response is whole. */
function modelOf(
  { options, session }: State,
  setup: RunSetup,
  emit: Ports["emit"],
  signal: AbortSignal,
): Ports["invokeModel"] {
  const { provider, clock = realClock, random = Math.random, newId = shortId } = setup;
  let turn = 0; // the one under way
  const tell: Retrying["tell"] = (event) => emit({ ...event, turn });
  const tried = fallBack(tryAgain(provider.invokeModel, options, { clock, random, tell }), options, tell);
  const whole = continuePaused(tried, options.max_pause_continuations ?? 10);
  const invokeModel = keepWhatWasHeard(withUniqueIds(whole, session.messages, newId));
  return (request, turnNow) => {
    turn = turnNow;
    return invokeModel(request, {
      signal,
      onStream: (piece) =>
        emit(piece.type === "message_end" ? { type: piece.type, turn, index: piece.index } : { ...piece, turn }),
      warn: (code, message) => emit({ type: "warning", turn, code, message }),
    });
  };
}

function toolsOf(
  { agent, options }: State,
  agents: Record<string, AgentWithTools>,
  setup: RunSetup,
  emit: Ports["emit"],
) {
  const tools = new Map(agents[agent]?.tools?.map((tool) => [tool.name, tool]));
  return waitForTools((call, context) => runHandler(tools.get(call.name), call, context), {
    clock: setup.clock ?? realClock,
    timeoutOf: ({ name }) => tools.get(name)?.timeout_ms ?? options.tool_timeout_ms ?? null,
    cancelGraceMs: options.cancel_grace_ms ?? 0,
    emit,
  });
}

/** Short enough for every provider: OpenAI Chat Completions takes 40 characters. */
function shortId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

async function runHandler(
  tool: DefinedTool | undefined,
  call: ExecutableCall,
  context: ToolContext,
): Promise<ToolOutput> {
  if (!tool?.execute) throw new Error(`The tool ${call.name} has no handler.`);
  return tool.execute(call.input as never, context);
}

function agentsOf(setup: RunSetup): { agents: Record<string, AgentWithTools>; active: string } {
  const { instructions, model, tools } = setup;
  const only: AgentWithTools = {
    name: "main",
    ...(instructions !== undefined && { instructions }),
    ...(model !== undefined && { model }),
    ...(tools && { tools }),
  };
  const agents = setup.agents ?? { [setup.agent ?? "main"]: only };
  return { agents, active: setup.agent ?? Object.keys(agents)[0] ?? "main" };
}

/** What is wrong with the agents, if anything is. @see LOOP-39 */
function misconfigured(state: State, agents: Record<string, AgentWithTools>): string | undefined {
  const agent = agents[state.agent];
  const names = agent?.tools?.map(({ name }) => name) ?? [];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    return `The agent ${state.agent} has two tools called ${twice}. Give each tool a name of its own.`;
  if (agent) return undefined;
  return `There is no agent ${JSON.stringify(state.agent)}. Agents: ${Object.keys(agents).join(", ") || "none"}.`;
}

/** What a model and a snapshot may see of the agents: no handlers. */
function definitionsOf(agents: Record<string, AgentWithTools>): Record<string, Agent> {
  const bare = ({ execute: _, ...tool }: DefinedTool) => tool;
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [
      name,
      agent.tools ? { ...agent, tools: agent.tools.map(bare) } : (agent as Agent),
    ]),
  );
}
