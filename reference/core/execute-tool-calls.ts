// Tool calls: judging each of a batch before any is executed, and executing one.

import type { CallDecision, Outcome, Part, Tool, ToolCallMessage, ToolResultMessage } from "../../schemas/types.ts";
import type { ExecutableCall, Executed, InputProblem, Ports, State, ToolOutput } from "./ports.ts";
import { resultText, syntheticResult } from "./session.ts";

/** Thrown by a tool to set the outcome of its call. `fatal` ends the run after the batch. @see TOOL-18 */
export class ToolError extends Error {
  readonly outcome: Outcome;
  readonly fatal: boolean;

  constructor(message: string, { outcome = "error", fatal = false }: { outcome?: Outcome; fatal?: boolean } = {}) {
    super(message);
    this.name = "ToolError";
    this.outcome = outcome;
    this.fatal = fatal;
  }
}

/** Judges one call: resolve the name, check the arguments, leave it to the caller, or call the `decide` point. */
export async function judge(call: ToolCallMessage, state: State, ports: Ports): Promise<CallDecision> {
  const tools = ports.agents[state.agent]!.tools ?? [];
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) return answer(call, "unknown_tool", unknownToolText(call.name, tools)); // [TOOL-9]
  if (call.input === null) return answer(call, "invalid_arguments", notAnObjectText(call)); // [TOOL-3]
  const problems = await ports.validateInput(tool.input_schema, call.input);
  if (problems.length > 0) return answer(call, "invalid_arguments", schemaText(call, problems)); // [TOOL-5]
  const decision = await ports.decide({ id: call.id, name: call.name, input: call.input }, state);
  if (decision.do === "answer" || !(tool.external || state.options.execute_tools === false)) return decision; // [LOOP-33]
  return { do: "ask", ...(decision.input && { input: decision.input }) };
}

/** Executes one call and always returns a result. Once the run is cancelled, no call is started. */
export async function executeToolCall(call: ExecutableCall, state: State, ports: Ports): Promise<Executed> {
  if (ports.signal.aborted) return { result: syntheticResult(call, "cancelled", resultText("cancelled_before")) }; // [CANCEL-6]
  const { id, name, input } = call;
  ports.emit({ type: "tool_start", turn: state.turn, id, name, input });
  const executed = await attempt(call, state, ports);
  ports.emit({ type: "tool_end", turn: state.turn, id, name, outcome: executed.result.outcome! });
  return executed;
}

async function attempt(call: ExecutableCall, state: State, ports: Ports): Promise<Executed> {
  try {
    const returned = (await ports.executeTool(call, { signal: ports.signal, turn: state.turn }, state)) ?? "";
    const { output, data, is_error, ...requests } = isPlain(returned) ? { output: returned } : returned;
    const outcome = is_error ? ({ is_error, outcome: "error" } as const) : ({ outcome: "ok" } as const);
    const content = { output: output ?? JSON.stringify(data), ...(data !== undefined && { data }) };
    return { result: { type: "tool_result", id: call.id, ...content, ...outcome }, ...requests };
  } catch (error) {
    const { outcome, fatal } = error instanceof ToolError ? error : new ToolError("");
    const text = error instanceof Error ? error.message : String(error); // the message only: no stack [TOOL-15]
    const result: ToolResultMessage = { type: "tool_result", id: call.id, output: text, is_error: true, outcome };
    if (outcome !== "error") result.synthetic = true;
    return { result, fatal };
  }
}

function isPlain(returned: ToolOutput): returned is string | Part[] {
  return typeof returned === "string" || Array.isArray(returned);
}

/** The default execution of a batch: one call at a time. */
export async function oneByOne(
  calls: ExecutableCall[],
  run: (call: ExecutableCall) => Promise<Executed>,
): Promise<Executed[]> {
  const executed: Executed[] = [];
  for (const call of calls) executed.push(await run(call));
  return executed;
}

function answer(call: ToolCallMessage, outcome: Outcome, output: string): CallDecision {
  return { do: "answer", result: syntheticResult(call, outcome, output) };
}

const LONGEST_ECHO = 200; // [TOOL-7]

export function unknownToolText(name: string, tools: readonly Tool[]): string {
  const available = tools.map((tool) => tool.name).join(", ") || "none";
  return resultText("unknown_tool", { name: JSON.stringify(name), tools: available });
}

function notAnObjectText(call: ToolCallMessage): string {
  if (call.meta?.unreadable) return resultText("beyond_a_bound", { reason: call.meta.unreadable });
  return resultText("not_an_object", { arguments: [...(call.raw_input ?? "")].slice(0, LONGEST_ECHO / 2).join("") });
}

function schemaText(call: ToolCallMessage, problems: InputProblem[]): string {
  let room = LONGEST_ECHO; // a pointer quotes the model, too
  const places = problems.map(({ pointer }) => {
    room -= pointer.length;
    return room < 0 ? "…" : pointer || "(the arguments)";
  });
  const list = problems.map(({ message }, i) => `${places[i]}: ${message}`).join("; ");
  return resultText("wrong_arguments", { name: call.name, problems: list });
}
