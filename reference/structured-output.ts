// Makes the final text have a form. Plugs into `invokeModel` and `boundary`.

import { say, type Boundary, type Verdict } from "./boundaries.ts";
import type { Ports, State } from "./core/ports.ts";
import { isText, lastResponse } from "./core/session.ts";
import { count, counted } from "./counters.ts";
import type { OutputFormat, RunOptions } from "./types.ts";
import { listed } from "./validate-input.ts";

/** Adds the form to every request. @see LOOP-63 */
export function askForForm(invokeModel: Ports["invokeModel"], { output_format }: RunOptions): Ports["invokeModel"] {
  if (!output_format) return invokeModel;
  return (request, ...at) => invokeModel({ ...request, output_format }, ...at);
}

/** What becomes of a final text that does not have the form. */
export interface FormOfAnswer {
  /** Tells the model what is wrong, at most `max_structured_retries` times; then the run has failed. */
  correct: Boundary;
  /** The run has failed: it may not have another turn. */
  refuse: Boundary;
}

/** @see LOOP-64 LOOP-65 */
export function formOfAnswer(
  { output_format, max_structured_retries = 2 }: RunOptions,
  validate: Ports["validateInput"],
): FormOfAnswer {
  const problemOf = async (state: State) =>
    output_format && state.ending?.status === "completed"
      ? problemWith(finalText(state), output_format, validate)
      : undefined;
  return {
    async correct(state) {
      const problem = await problemOf(state);
      if (problem === undefined) return { do: "continue" };
      const corrected = counted(state, "structured_retries");
      if (corrected >= max_structured_retries) return FAILED;
      count(state, "structured_retries", corrected + 1);
      return say(`${problem} Answer again, with nothing but the JSON value.`);
    },
    refuse: async (state) => ((await problemOf(state)) === undefined ? { do: "continue" } : FAILED),
  };
}

const FAILED: Verdict = { do: "end", ending: { status: "structured_output_failed" } };

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
    return "Your answer is not a JSON value.";
  }
  const problems = await validate(schema, value);
  if (problems.length === 0) return undefined;
  return `Your answer does not match the schema: ${listed(problems, "(the value)")}.`;
}
