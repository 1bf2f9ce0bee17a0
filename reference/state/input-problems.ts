// Formats the problems of arguments.

import type { InputProblem } from "../core/ports.ts";

/** Problems in one line. `whole`: the name of the root. */
export function listed(problems: InputProblem[], whole = "(the arguments)"): string {
  return problems.map(({ pointer, message }) => `${pointer || whole}: ${message}`).join("; ");
}
