// The output of a run as the arguments of a call: a tool that the loop declares, and answers itself. Plugs into `decide` and `settle`.

import { resultWith } from "./approval.ts";
import type { Ports, State } from "../../core/ports.ts";
import { isType, lastCalls, lastResponse, madeUpResult } from "../../core/session.ts";
import { count, counted } from "../../state/counters.ts";
import type { Settle } from "../../run/join-verdicts.ts";
import type { Agent, LoopError, OutputFormat, RunOptions, Tool, ToolCallMessage } from "../../../schemas/types.ts";

/** The output tool of a run, as what plugs into its points. A run without one is left alone. */
export interface OutputTool {
  /** The agents as the model sees them: the tool stands behind the tools of each. @see LOOP-84 */
  declaredIn(agents: Record<string, Agent>): Record<string, Agent>;
  /** Answers the calls of the tool; whoever else decides about calls is not asked. @see LOOP-86 */
  answering(decide: Ports["decide"]): Ports["decide"];
  /** Ends the run with the output, or when there were too many wrong ones. @see LOOP-85 LOOP-88 */
  settle: Settle | undefined;
}

const noOutputTool: OutputTool = {
  declaredIn: (agents) => agents,
  answering: (decide) => decide,
  settle: undefined,
};

/** @see LOOP-84 LOOP-85 LOOP-86 LOOP-88 */
export function outputTool(options: RunOptions): OutputTool {
  const format = formByTool(options);
  if (!format) return noOutputTool;
  const { name, schema } = format;
  const tool: Tool = {
    name,
    description: "Gives the output of the task. Call it when you are done.",
    input_schema: schema as Tool["input_schema"],
  };
  const withTool = (agent: Agent): Agent => ({ ...agent, tools: [...(agent.tools ?? []), tool] });
  let takenIn = 0; // the turn of the last output

  return {
    declaredIn(agents) {
      const declared: Record<string, Agent> = {};
      for (const key of Object.keys(agents))
        // read when it is asked for: the tools of an agent may change
        Object.defineProperty(declared, key, { enumerable: true, get: () => withTool(agents[key]!) });
      return declared;
    },

    answering: (decide) => async (call, state) => {
      if (call.name !== name) return decide(call, state);
      const isFirst = takenIn !== state.turn;
      takenIn = state.turn;
      const result = isFirst
        ? resultWith(call, { output: "This is the output of the task." })
        : madeUpResult(call, "skipped", "Another call of this batch had already given the output.");
      return { do: "answer", result };
    },

    settle(_, state) {
      if (outputCall(state)) return { by: { ending: { status: "completed" } } }; // others may still have something to say
      const wrong = callsWith("invalid_arguments", state);
      if (wrong.length === 0 || mayCorrect(state)) return {};
      return { ending: { status: "structured_output_failed" } };
    },
  };
}

/** Counts one more wrong output. False if there were too many. @see LOOP-64 LOOP-88 LOOP-89 */
export function mayCorrect(state: State): boolean {
  const corrected = counted(state, "structured_retries");
  if (corrected >= (state.options.max_structured_retries ?? 2)) return false;
  count(state, "structured_retries", corrected + 1);
  return true;
}

/** The call of the last response that gave the output, if one did. @see LOOP-85 */
export function outputCall(state: State): ToolCallMessage | undefined {
  return callsWith("ok", state)[0];
}

/** The form, where a tool is asked for it. */
export function formByTool({ output_by, output_format }: RunOptions): OutputFormat | undefined {
  return output_by === "tool" ? output_format : undefined;
}

/** What is wrong with the output tool, if anything is. @see LOOP-90 */
export function impossibleOutput(options: RunOptions, agents: Record<string, Agent>): LoopError | undefined {
  if (options.output_by !== "tool") return undefined;
  const message = options.output_format ? whyImpossible(options.output_format, agents) : NO_FORM;
  return message === undefined ? undefined : { kind: "configuration", message };
}

const NO_FORM = "output_by is tool, but there is no output_format that says what the tool is called and what it takes.";

function whyImpossible({ name, schema: { type } }: OutputFormat, agents: Record<string, Agent>): string | undefined {
  if (type !== "object") {
    const expected = `The arguments of a tool are an object, but the schema of output_format has type ${JSON.stringify(type)}.`;
    return `${expected} Put the value into a property of an object, or let output_by be format.`;
  }
  const taken = Object.values(agents).find(({ tools = [] }) => tools.some((tool) => tool.name === name));
  return (
    taken && `The agent ${taken.name} has a tool called ${name}, as output_format is. Give one of them another name.`
  );
}

/** The calls of the output tool in the last response with such a result. */
function callsWith(outcome: "ok" | "invalid_arguments", state: State): ToolCallMessage[] {
  const name = formByTool(state.options)?.name;
  if (name === undefined) return [];
  const results = lastResponse(state).flatMap((message) => (isType(message, "tool_result") ? [message] : []));
  const ids = new Set(results.flatMap((result) => (result.outcome === outcome ? [result.id] : [])));
  return lastCalls(state).filter((call) => call.name === name && ids.has(call.id));
}
