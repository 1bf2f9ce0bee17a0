// One run of the core, with what every run has around it: a beginning that is checked, a limit of turns, events, a result.

import { agentLoop, plainPoints } from "../../reference/core/agent-loop.ts";
import type { BoundaryVerdict, EventBody, InvokeModel, Ports, State } from "../../reference/core/ports.ts";
import { initState } from "../../reference/core/session.ts";
import { checkSession } from "../../reference/state/check-session.ts";
import { withUniqueIds } from "../../reference/state/call-ids.ts";
import { withKnownEnding } from "../../reference/state/known-ending.ts";
import { checkSchema } from "../../reference/tools/check-schema.ts";
import type { Agent, ErrorKind, LoopEvent, RunOptions, RunResult, Session } from "../../schemas/types.ts";
import { resultOf } from "./result.ts";
import { validateInput } from "./validate-input.ts";
import { wellFormed } from "./well-formed.ts";

export { ToolError } from "../../reference/core/execute-tool-calls.ts";

/** What a run needs. */
export interface RunSetup {
  /** It is not changed. */
  session: Session;
  agents: Record<string, Agent>;
  /** The name of the active agent. */
  agent: string;
  options?: RunOptions;
  /** Your provider. It must not throw: a failed call is a response too. */
  invokeModel: InvokeModel;
  /** Your tools. What one throws, the model reads; a `ToolError` says more. */
  executeTool: Ports["executeTool"];
  emit?(event: LoopEvent): void;
  /** Ends the run between two transitions when it aborts. Whatever is under way is waited for. */
  signal?: AbortSignal;
  /** Where your own code plugs in: permissions, limits, a scheduler, a journal. */
  points?: Partial<Pick<Ports, "boundary" | "decide" | "execute" | "settle" | "checkpoint">>;
}

/** What a run came to, and the session after it. */
export interface Ended {
  result: RunResult;
  session: Session;
}

/** Runs an agent on a session. Never throws: every ending is a result. @see LOOP-27 */
export async function run(setup: RunSetup): Promise<Ended> {
  const { session, agents, agent, points, signal = new AbortController().signal } = setup;
  const { max_turns = 20, ...options } = { ...setup.options, ...agents[agent]?.limits };
  let seq = 0;
  const emit = (event: EventBody): void => setup.emit?.({ ...event, seq: seq++ } as LoopEvent);
  const invokeModel = withUniqueIds(setup.invokeModel, session.messages, newId);
  const { boundary, ...own } = { ...plainPoints, ...points };
  const ports: Ports = {
    ...own,
    agents,
    invokeModel: async (request, turn) =>
      withKnownEnding(
        await invokeModel(request, {
          signal,
          onStream: (piece) =>
            emit(piece.type === "message_end" ? { type: piece.type, turn, index: piece.index } : { ...piece, turn }),
          warn: (code, message) => emit({ type: "warning", turn, code, message }),
        }),
      ),
    executeTool: async (...call) => wellFormed(await setup.executeTool(...call)), // [TOOL-48]
    emit,
    signal,
    validateInput,
    boundary: async (state) => beginning(state, agents) ?? overLimit(state, max_turns) ?? boundary(state),
  };
  emit({ type: "run_start", session_id: session.id, agent });
  const begun = { ...session, messages: wellFormed(session.messages) }; // [SESSION-33]
  const last = await agentLoop(initState(begun, agent, { max_turns, ...options }), ports);
  const result = resultOf(last);
  emit({ type: "run_end", result });
  return { result: last.phase === "suspended" ? { ...result, snapshot: last } : result, session: last.session };
}

/** The options that this loop has. */
const known = ["max_turns", "max_truncation_recoveries", "max_pause_continuations", "execute_tools", "max_retries"];

/** What sets an option relies on it. @see LOOP-100 */
function unknownOption(options: RunOptions): string | undefined {
  return Object.entries(options).find(([name, value]) => value != null && !known.includes(name))?.[0];
}

/** Why a run must not begin. @see LOOP-39 LOOP-100 SESSION-15 SESSION-16 TOOL-43 */
function beginning(
  { turn, session, agent: name, options }: State,
  agents: Record<string, Agent>,
): BoundaryVerdict | undefined {
  if (turn > 0) return undefined;
  const agent = agents[name];
  if (!agent) return refuse("configuration", `There is no agent ${JSON.stringify(name)}.`);
  const names = (agent.tools ?? []).map((tool) => tool.name);
  const twice = names.find((tool, i) => names.indexOf(tool) !== i);
  if (twice !== undefined) return refuse("configuration", `The agent ${name} has two tools called ${twice}.`);
  const option = unknownOption(options);
  if (option !== undefined)
    return refuse("configuration", `There is no option ${option.slice(0, 100)}; there are ${known.join(", ")}.`);
  for (const tool of Object.values(agents).flatMap(({ tools = [] }) => tools)) {
    const wrong = checkSchema(tool.input_schema);
    if (wrong) return refuse("configuration", `The schema of ${tool.name} at ${wrong.pointer}: ${wrong.message}.`);
  }
  const [problem] = checkSession(session, { toStart: true });
  return problem && refuse("invalid_session", `${problem.message} (${problem.pointer}).`);
}

function refuse(kind: ErrorKind, message: string): BoundaryVerdict {
  return { do: "end", ending: { status: "error", error: { kind, message } } };
}

/** A run that is over anyway ends with its own status. @see LOOP-23 LOOP-25 */
function overLimit({ turn, ending }: State, most: number | null): BoundaryVerdict | undefined {
  if (most === null || turn < most || ending) return undefined;
  return { do: "end", ending: { status: "max_turns" } };
}

/** Short enough for every provider. */
function newId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
