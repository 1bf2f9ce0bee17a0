// The output of a run as the arguments of a call: a tool that the loop itself declares and answers.

import type { Ports } from "../../core/ports.ts";
import { resultText, syntheticResult } from "../../core/session.ts";
import type { Agent, LoopError, OutputFormat, RunOptions, Tool } from "../../../schemas/types.ts";
import { outputCall, mayCorrect, callsWith } from "../../state/output.ts";
import { resultWith } from "../../state/tool-results.ts";
import type { Plugin, Settle } from "../plugin.ts";

export const outputTool: Plugin = {
  name: "output-tool",
  options: ["output_by"],
  attach({ options, agents }) {
    if (options.output_by !== "tool") return;
    const refuses = impossibleOutput(options, agents.definitions);
    if (refuses || !options.output_format) return { refuses };
    const { declaredIn, answering, settle } = toolOf(options.output_format);
    return { agents: declaredIn, beforeCall: answering, afterBatch: settle };
  },
};

/** The output tool of a run, at its points. */
interface OutputTool {
  /** Adds the tool after the tools of each agent. @see LOOP-84 */
  declaredIn(agents: Record<string, Agent>): Record<string, Agent>;
  /** Answers the calls of the tool; no inner plug-in decides on them. @see LOOP-86 */
  answering(decide: Ports["decide"]): Ports["decide"];
  /** Ends the run with the output, or after too many invalid ones. @see LOOP-85 LOOP-88 */
  settle: Settle;
}

/** @see LOOP-84 LOOP-85 LOOP-86 LOOP-88 */
function toolOf({ name, schema }: OutputFormat): OutputTool {
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
        // read on access: the tools of an agent may change
        Object.defineProperty(declared, key, { enumerable: true, get: () => withTool(agents[key]!) });
      return declared;
    },

    answering: (decide) => async (call, state) => {
      if (call.name !== name) return decide(call, state);
      const isFirst = takenIn !== state.turn;
      takenIn = state.turn;
      const result = isFirst
        ? resultWith(call, { output: "This is the output of the task." })
        : syntheticResult(call, "skipped", resultText("second_output"));
      return { do: "answer", result };
    },

    settle(_, state) {
      if (outputCall(state)) return { by: { ending: { status: "completed" } } }; // other plug-ins may still append messages
      const wrong = callsWith("invalid_arguments", state);
      if (wrong.length === 0 || mayCorrect(state)) return {};
      return { ending: { status: "structured_output_failed" } };
    },
  };
}

/** Why the output tool is impossible, if so. @see LOOP-90 */
function impossibleOutput(options: RunOptions, agents: Record<string, Agent>): LoopError | undefined {
  if (options.output_by !== "tool") return undefined;
  const message = options.output_format ? whyImpossible(options.output_format, agents) : NO_FORM;
  return message === undefined ? undefined : { kind: "configuration", message };
}

const NO_FORM = "output_by is tool, but output_format is missing, which defines the name and schema of the tool.";

function whyImpossible({ name, schema: { type } }: OutputFormat, agents: Record<string, Agent>): string | undefined {
  if (type !== "object") {
    const expected = `The arguments of a tool are an object, but the schema of output_format has type ${JSON.stringify(type)}.`;
    return `${expected} Put the value into a property of an object, or set output_by to format.`;
  }
  const taken = Object.values(agents).find(({ tools = [] }) => tools.some((tool) => tool.name === name));
  return taken && `The agent ${taken.name} has a tool called ${name}, the name of output_format. Rename one of them.`;
}
