// Makes the output of a run match a schema.

import { listed } from "../../state/input-problems.ts";
import { finalText, formByTool, outputCall, mayCorrect } from "../../state/output.ts";
import type { Ports, State } from "../../core/ports.ts";
import type { OutputFormat, RunOptions } from "../../../schemas/types.ts";
import { type Plugin, type Boundary, followUp, type Verdict } from "../plugin.ts";

export const structuredOutput: Plugin = {
  name: "structured-output",
  options: ["output_format", "max_structured_retries"],
  attach({ options, validateInput }) {
    const { output_format } = options;
    if (!output_format) return;
    const { correct, refuse } = keepToForm(options, output_format, validateInput);
    return {
      aroundModel: (next) => askForForm(next, options),
      betweenTurns: { beforeEnd: correct, lastWord: refuse },
    };
  },
};

/** Adds the output format to every request, unless the output is given by a tool. @see LOOP-63 */
function askForForm(invokeModel: Ports["invokeModel"], options: RunOptions): Ports["invokeModel"] {
  const { output_format } = options;
  if (!output_format || formByTool(options)) return invokeModel;
  return (request, ...at) => invokeModel({ ...request, output_format }, ...at);
}

/** What happens to a run that would complete without a valid output. */
interface KeptForm {
  /** Reports the problem to the model, at most `max_structured_retries` times; then the run fails. */
  correct: Boundary;
  /** Fails the run, because another turn is not permitted. */
  refuse: Boundary;
}

/** @see LOOP-64 LOOP-65 LOOP-89 */
function keepToForm(options: RunOptions, output_format: OutputFormat, validate: Ports["validateInput"]): KeptForm {
  const byTool = formByTool(options);
  const problemOf = async (state: State) => {
    if (state.ending?.status !== "completed") return undefined;
    if (!byTool) return problemWith(finalText(state), output_format, validate);
    return outputCall(state) ? undefined : `Give the output of the task by calling the tool ${byTool.name}.`;
  };
  return {
    async correct(state) {
      const problem = await problemOf(state);
      if (problem === undefined) return { do: "continue" };
      return mayCorrect(state) ? followUp(problem) : FAILED;
    },
    refuse: async (state) => ((await problemOf(state)) === undefined ? { do: "continue" } : FAILED),
  };
}

const FAILED: Verdict = { do: "end", ending: { status: "structured_output_failed" } };

async function problemWith(
  text: string,
  { schema }: OutputFormat,
  validate: Ports["validateInput"],
): Promise<string | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `Your answer is not a JSON value. ${AGAIN}`;
  }
  const problems = await validate(schema, value);
  if (problems.length === 0) return undefined;
  return `Your answer does not match the schema: ${listed(problems, "(the value)")}. ${AGAIN}`;
}

const AGAIN = "Answer again, with nothing but the JSON value.";
