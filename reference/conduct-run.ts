// Conducts a run: fills the five points of the core, runs it, and says what it came to.

import type { AgentWithTools, Beginning, Controls, RunSetup } from "./agent-loop.ts";
import { boundaryOf, configurationCheck, startCheck, steeringBy, stopCheck } from "./boundaries.ts";
import { withUniqueIds } from "./call-ids.ts";
import { realClock } from "./clock.ts";
import { agentLoop as runCore, plainPoints } from "./core/agent-loop.ts";
import type { ExecutableCall, Ports, State, ToolContext, ToolOutput } from "./core/ports.ts";
import { initState } from "./core/session.ts";
import { keepWhatWasHeard } from "./cut-off.ts";
import type { DefinedTool } from "./define-tool.ts";
import { askAgainWhenEmpty, continueCutText } from "./keep-going.ts";
import { limits } from "./limits.ts";
import { continuePaused } from "./pause.ts";
import { resultOf } from "./result.ts";
import { resumeState } from "./resume.ts";
import { fallBack, tryAgain, type Retrying } from "./retry.ts";
import { schedule } from "./scheduling.ts";
import { describedConditions, stopWhen } from "./stop-conditions.ts";
import { waitForTools } from "./tool-waiting.ts";
import type { Agent, RunResult, Session } from "./types.ts";
import { validateInput } from "./validate-input.ts";

/** From the first event to the last. Never throws. */
export async function conductRun(
  beginning: Beginning,
  setup: RunSetup,
  { signal, said, isStopping, emit }: Controls,
): Promise<{ result: RunResult; session: Session }> {
  const agents = agentsOf(setup);
  const { state, refused } = stateOf(beginning, setup, agents);
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
        stopCheck(isStopping),
        ...limits(state.options, setup.clock ?? realClock),
      ],
      steeringBy(said),
      [continueCutText(state.options), askAgainWhenEmpty(state.options)],
    ),
    execute: schedule(state.options, agents[state.agent]?.tools ?? []),
    settle: stopWhen([...describedConditions(state.options), ...(setup.stopWhen ?? [])]),
  };
  const resumed = state.phase === "executing";
  emit({ type: "run_start", session_id: state.session.id, agent: state.agent, ...(resumed && { resumed }) });
  if (resumed) emit({ type: "turn_start", turn: state.turn, resumed });
  const last = await runCore(state, ports);
  const result = resultOf(last, tools.running());
  emit({ type: "run_end", result });
  return { result: last.phase === "suspended" ? { ...result, snapshot: last } : result, session: last.session };
}

/** The state in which the run begins. A resume that is refused changes nothing: its run ends before it does anything. */
function stateOf(
  beginning: Beginning,
  setup: RunSetup,
  agents: Record<string, AgentWithTools>,
): { state: State; refused?: string } {
  if ("session" in beginning) {
    const active = setup.agent ?? Object.keys(agents)[0] ?? "main";
    return { state: initState(beginning.session, active, { ...setup.options, ...agents[active]?.limits }) };
  }
  const resumed = resumeState(beginning.snapshot, beginning.decisions);
  if ("state" in resumed) return resumed;
  const { ending: _, ...suspended } = beginning.snapshot;
  return { state: { ...suspended, phase: "turn_boundary" }, refused: resumed.refused };
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

function agentsOf({ agents, agent = "main", instructions, model, tools }: RunSetup): Record<string, AgentWithTools> {
  const only: AgentWithTools = {
    name: agent,
    ...(instructions !== undefined && { instructions }),
    ...(model !== undefined && { model }),
    ...(tools && { tools }),
  };
  return agents ?? { [agent]: only };
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
