// Plays the function that makes the instructions of a run, and records its arguments.

import type { CaseInstructions, Failure, InstructionsEvaluateParams } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import { fillTemplate } from "../suite/placeholders.ts";
import type { Reply } from "../driver/rpc.ts";
import type { RunContext } from "./run-context.ts";

/** The function of one run. */
export class InstructionsPlayer {
  readonly #run: RunContext;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Answers as the function. Settles when it has, or when it waits at its gate. */
  async evaluate({ run: _, ...evaluation }: InstructionsEvaluateParams, reply: Reply): Promise<void> {
    const { seen } = this.#run;
    const { dynamic_instructions: given } = seen.filled.case.given;
    if (!given) {
      this.#run.fail([
        { code: "assertion", message: "instructions were evaluated, but the case has no such function" },
      ]);
      return reply.error("the case has no function that makes instructions");
    }
    this.#run.fail(this.#check(evaluation));
    const text = textOf(given, evaluation, seen.instructions.length);
    const before = seen.requests.length + 1;
    const evaluated = { ...evaluation, before, ...(text !== undefined && { text }), hasEnded: false };
    seen.instructions.push(evaluated);
    await this.#run.evaluated(given.hold, () => {
      evaluated.hasEnded = true;
      if (text !== undefined) return reply.result({ text });
      seen.disturbed = true;
      reply.error(given.throw!);
    });
  }

  #check({ agent, turn, context = {} }: Omit<InstructionsEvaluateParams, "run">): Failure[] {
    const { seen, isOver, hasReceivedCancel } = this.#run;
    const what = `the instructions of turn ${turn} were evaluated`;
    if (isOver) return [breach("LOOP-28", `${what} after the result`)];
    if (hasReceivedCancel) return [breach("CANCEL-2", `${what} after the cancel`)];
    if (seen.expected.isOpen) return [];
    const { agent: active, context: variables = {} } = seen.expected.after;
    const expected = { agent: active, context: variables };
    if (matchData(expected, { agent, context }, "", true).length === 0) return [];
    return [breach("LOOP-75", `${what} with other arguments`, { expected, received: { agent, context } })];
  }
}

/** What the function says the n-th time, counted from 0; undefined if it throws. */
function textOf(
  { template, sequence = [], throw: thrown }: CaseInstructions,
  { agent, turn, context = {} }: Omit<InstructionsEvaluateParams, "run">,
  count: number,
): string | undefined {
  if (template === undefined) return sequence[count] ?? (thrown === undefined ? sequence.at(-1) : undefined);
  return fillTemplate(template, { agent, turn, context });
}
