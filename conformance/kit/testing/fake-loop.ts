// A small correct loop for the kit's own tests: the generic seam, one tool at a time, everything reported.

import type {
  LoopEvent,
  Message,
  ModelResponse,
  RunParams,
  RunResponse,
  RunResult,
  Step,
  ToolExecuteResult,
  ToolResultMessage,
  Usage,
} from "../../../reference/types.ts";

/** What the loop asks and tells. */
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
  { run, session, agents, agent }: RunParams,
  ports: FakePorts,
  faults: FakeFaults = {},
): Promise<Required<RunResponse>> {
  const messages: Message[] = [...session.messages];
  const tools = agents[agent]?.tools ?? [];
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
    emit({ type: "turn_start", turn });
    emit({ type: "model_start", turn });
    response = (await ports.ask("model/invoke", { run, request: { messages: [...messages], tools } })) as ModelResponse;
    emit({ type: "model_end", turn, stop_reason: response.stop_reason, usage: response.usage! });
    for (const key of Object.keys(usage) as (keyof Usage)[]) {
      const more = response.usage?.[key];
      if (more != null) usage[key] = (usage[key] ?? 0) + more;
    }
    for (const message of response.messages) append(message, turn);
    const results: ToolResultMessage[] = [];
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
      const { output } = (await ports.ask("tool/execute", { run, call: { id, name, input } })) as ToolExecuteResult;
      emit({ type: "tool_end", turn, id, name, outcome: "ok" });
      results.push({ type: "tool_result", id, output, outcome: "ok" });
    }
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
    });
    emit({ type: "turn_end", turn });
    if (results.length === 0) break;
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
  };
  emit({ type: "run_end", result });
  return { result, session: { ...session, messages } };
}
