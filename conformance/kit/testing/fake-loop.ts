// A small correct loop for the kit's own tests: the generic seam, one tool at a time, everything reported, and the features
// context, handoff, tool_data, report and settings.

import type {
  LoopEvent,
  Message,
  ModelResponse,
  RunOptions,
  RunParams,
  RunResponse,
  RunResult,
  Step,
  ToolExecuteResult,
  ToolReport,
  ToolResultMessage,
  Usage,
} from "../../../schemas/types.ts";

/** The requests and events of the loop. */
export interface FakePorts {
  ask(method: "model/invoke" | "tool/execute", params: unknown): Promise<unknown>;
  emit(event: LoopEvent): void;
}

/** How the loop may be wrong. */
export interface FakeFaults {
  results?(results: ToolResultMessage[]): ToolResultMessage[];
}

type WithoutSeq<Event> = Event extends unknown ? Omit<Event, "seq"> : never;

/** Runs the loop. */
export async function fakeLoop(
  { run, session, agents, agent: first, context: given, options }: RunParams,
  ports: FakePorts,
  faults: FakeFaults = {},
): Promise<Required<Pick<RunResponse, "result" | "session">>> {
  const messages: Message[] = [...session.messages];
  let agent = first;
  let context = given;
  let ending: Partial<RunResult> | undefined;
  let seq = 0;
  const emit = (event: WithoutSeq<LoopEvent>) => ports.emit({ ...event, seq: seq++ } as LoopEvent);
  const append = (message: Message, turn: number) => {
    messages.push(message);
    emit({ type: "message", turn, message });
  };
  const usage: Usage = {
    input_tokens: null,
    output_tokens: null,
    cache_read_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
  };
  const steps: Step[] = [];
  let response: ModelResponse;
  emit({ type: "run_start", session_id: session.id, agent });
  for (let turn = 1; ; turn++) {
    const { tools = [], instructions, settings } = agents[agent]!;
    const system: Message[] = instructions === undefined ? [] : [{ role: "system", content: instructions }];
    emit({ type: "turn_start", turn });
    emit({ type: "model_start", turn });
    const request = { messages: [...system, ...messages], tools, ...(settings && { settings }) };
    response = (await ports.ask("model/invoke", { run, request })) as ModelResponse;
    emit({ type: "model_end", turn, stop_reason: response.stop_reason, usage: response.usage! });
    for (const key of Object.keys(usage) as (keyof Usage)[]) {
      const more = response.usage?.[key];
      if (more != null) usage[key] = (usage[key] ?? 0) + more;
    }
    for (const message of response.messages) append(message, turn);
    const results: ToolResultMessage[] = [];
    const reports: ToolReport[] = [];
    let updated = context;
    let next: string | null | undefined;
    for (const message of response.messages) {
      if (message.type !== "tool_call") continue;
      const { id, name, input } = message;
      if (!tools.some((tool) => tool.name === name)) {
        results.push({
          type: "tool_result",
          id,
          output: `there is no tool ${name}`,
          is_error: true,
          synthetic: true,
          outcome: "unknown_tool",
        });
        continue;
      }
      emit({ type: "tool_start", turn, id, name, input: input! });
      const answer = (await ports.ask("tool/execute", {
        run,
        call: { id, name, input },
        ...(context && { context }),
      })) as ToolExecuteResult;
      const { returned, data = returned ?? undefined, handoff, context_updates, metrics } = answer;
      const output = answer.output ?? (returned === null ? "" : JSON.stringify(data));
      emit({ type: "tool_end", turn, id, name, outcome: "ok" });
      if (context_updates) updated = { ...updated, ...context_updates };
      const isKnown = handoff === null || (handoff !== undefined && Object.hasOwn(agents, handoff));
      const refused =
        handoff === undefined ? undefined : !isKnown ? "error" : next === undefined ? undefined : "skipped";
      if (handoff !== undefined && !refused) next = handoff;
      const result: ToolResultMessage = refused
        ? { type: "tool_result", id, output: refused, is_error: true, synthetic: true, outcome: refused }
        : { type: "tool_result", id, output, ...(data !== undefined && { data }), outcome: "ok" };
      results.push(result);
      const size = (value: unknown) => Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
      reports.push({
        id,
        name,
        outcome: result.outcome!,
        duration_ms: 0,
        input_bytes: size(input),
        output_bytes: size(result.output),
        ...(metrics && { metrics }),
      });
    }
    context = updated;
    const stored = faults.results?.(results) ?? results;
    for (const result of stored) append(result, turn);
    steps.push({
      turn,
      agent,
      stop_reason: response.stop_reason,
      raw_stop_reason: response.raw_stop_reason ?? null,
      usage: response.usage!,
      tool_calls: results.length,
      outcomes: stored.map(({ outcome }) => outcome!),
      kind: turn === 1 ? "initial" : "tool_followup",
      latency_ms: 0,
      ...(reports.length > 0 && { tools: reports }),
    });
    if (next !== undefined) emit({ type: "handoff", turn, from: agent, to: next });
    emit({ type: "turn_end", turn });
    if (next === null) ending = { status: "stopped", stop_condition: "no_active_agent" };
    agent = next ?? agent;
    if (results.length === 0 || ending) break;
    if (turn === (options as RunOptions | undefined)?.max_turns) {
      ending = { status: "max_turns" };
      break;
    }
  }
  const result: RunResult = {
    status: "completed",
    turns: steps.length,
    tool_calls: steps.reduce((sum, step) => sum + step.tool_calls, 0),
    agent,
    final_text: response.messages
      .flatMap((message) => (message.role === "assistant" ? [message.content] : []))
      .join(""),
    stop_reason: response.stop_reason,
    raw_stop_reason: response.raw_stop_reason ?? null,
    usage,
    usage_by_model: { [response.model!]: usage },
    steps,
    ...(context && { context }),
    ...ending,
  };
  emit({ type: "run_end", result });
  return { result, session: { ...session, messages } };
}

/** Ends a run with a result before it has begun. */
export function fakeRefusal(
  { session, agent }: RunParams,
  { emit }: Pick<FakePorts, "emit">,
): Required<Pick<RunResponse, "result" | "session">> {
  const nothing = { input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_write_tokens: null };
  const result: RunResult = {
    status: "error",
    agent,
    error: { kind: "configuration", message: `there is no agent ${agent}` },
    final_text: "",
    stop_reason: null,
    raw_stop_reason: null,
    turns: 0,
    tool_calls: 0,
    usage: { ...nothing, reasoning_tokens: null },
    usage_by_model: {},
    steps: [],
  };
  emit({ type: "run_start", seq: 0, session_id: session.id, agent });
  emit({ type: "run_end", seq: 1, result });
  return { result, session };
}
