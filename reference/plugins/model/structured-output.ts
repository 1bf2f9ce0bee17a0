// Makes the output of a run have a form. Plugs into `invokeModel` and `boundary`.

import { say, type Boundary, type Verdict } from "../turns/steering.ts";
import type { Ports, State } from "../../core/ports.ts";
import { isText, lastResponse } from "../../core/session.ts";
import { formByTool, mayCorrect, outputCall } from "../tools/output-tool.ts";
import type { OutputFormat, RunOptions } from "../../../schemas/types.ts";
import { listed } from "../../tools/validate-input.ts";

/** Adds the form to every request, where no tool is asked for it. @see LOOP-63 */
export function askForForm(invokeModel: Ports["invokeModel"], options: RunOptions): Ports["invokeModel"] {
  const { output_format } = options;
  if (!output_format || formByTool(options)) return invokeModel;
  return (request, ...at) => invokeModel({ ...request, output_format }, ...at);
}

/** What becomes of a run that would complete without an output that has the form. */
export interface FormOfAnswer {
  /** Tells the model what is wrong, at most `max_structured_retries` times; then the run has failed. */
  correct: Boundary | undefined;
  /** The run has failed: it may not have another turn. */
  refuse: Boundary | undefined;
}

const anyForm: FormOfAnswer = { correct: undefined, refuse: undefined };

/** @see LOOP-64 LOOP-65 LOOP-89 */
export function formOfAnswer(options: RunOptions, validate: Ports["validateInput"]): FormOfAnswer {
  const { output_format } = options;
  if (!output_format) return anyForm;
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
      return mayCorrect(state) ? say(problem) : FAILED;
    },
    refuse: async (state) => ((await problemOf(state)) === undefined ? { do: "continue" } : FAILED),
  };
}

const FAILED: Verdict = { do: "end", ending: { status: "structured_output_failed" } };

/** The value of the form that a completed run has. @see RESULT-13 LOOP-85 */
export function outputOf(state: State): unknown {
  return formByTool(state.options) ? outputCall(state)!.input : JSON.parse(finalText(state));
}

/** The text of the last response. @see RESULT-2 */
export function finalText(state: State): string {
  return lastResponse(state)
    .map((message) => (isText(message) ? message.content : ""))
    .join("");
}

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
