// What is wrong with arguments, in one line.

import type { InputProblem } from "../core/ports.ts";

/** Problems in one line. `whole`: what to call the place of one that is about everything. */
export function listed(problems: InputProblem[], whole = "(the arguments)"): string {
  return problems.map(({ pointer, message }) => `${pointer || whole}: ${message}`).join("; ");
}
