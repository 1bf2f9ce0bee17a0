// Plays the function that makes the tools of a run, and knows when it has to be asked.

import type { Failure, Tool, ToolsEvaluateParams } from "../../../schemas/types.ts";
import { lastTurnRequest } from "../checks/instructions.ts";
import { breach } from "../base/failures.ts";
import { agentsOf } from "../suite/case-agents.ts";
import { matchData } from "../base/matcher.ts";
import type { Observation } from "../observed/observation.ts";
import type { Reply } from "../driver/rpc.ts";
import type { RunContext } from "./run-context.ts";

type Evaluation = Omit<ToolsEvaluateParams, "run">;

/** The function of one run. */
export class ToolsetPlayer {
  readonly #run: RunContext;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Answers as the function. Settles when it has, or when it waits at its gate. */
  async evaluate({ run: _, ...evaluation }: ToolsEvaluateParams, reply: Reply): Promise<void> {
    const { seen } = this.#run;
    const { given } = seen.filled.case;
    if (!given.dynamic_tools) {
      this.#run.fail([{ code: "assertion", message: "tools were evaluated, but the case has no such function" }]);
      return reply.error("the case has no function that makes tools");
    }
    this.#run.fail(this.#check(evaluation));
    const { sequence = [], throw: thrown, hold } = given.dynamic_tools;
    const names = sequence[seen.toolsets.length] ?? (thrown === undefined ? sequence.at(-1) : undefined);
    const tools = names?.map((name) => ownTool(seen, evaluation.agent, name));
    seen.toolsets.push({
      ...evaluation,
      resumes: seen.results.length,
      before: seen.requests.length + 1,
      tools: tools ?? [],
    });
    await this.#run.evaluated(hold, () => {
      if (tools) return reply.result({ tools });
      seen.disturbed = true;
      reply.error(thrown!);
    });
  }

  #check({ agent, turn, context = {} }: Evaluation): Failure[] {
    const { seen, isOver, hasReceivedCancel } = this.#run;
    const what = `the tools of turn ${turn} were evaluated`;
    if (isOver) return [breach("LOOP-28", `${what} after the result`)];
    if (hasReceivedCancel) return [breach("CANCEL-2", `${what} after the cancel`)];
    if (seen.expected.isOpen) return [];
    const isResumed = seen.toolsets.length > 0 && seen.toolsets.at(-1)!.resumes < seen.results.length;
    if (seen.journal && seen.journal.ended > 0) return []; // within a turn, or before one

    const { agent: active, context: variables = {} } = isResumed ? seen.expected.during : seen.expected.after;
    const expected = { agent: active, context: variables };
    if (matchData(expected, { agent, context }, "", true).length === 0) return [];
    return [breach("LOOP-83", `${what} with other arguments`, { expected, received: { agent, context } })];
  }
}

/** A tool that the case gives an agent; where the agent has none of that name, the driver asked for another agent than it should. */
function ownTool(seen: Observation, agent: string, name: string): Tool {
  const tool = agentsOf(seen.filled.case.given)[agent]?.tools?.find((one) => one.name === name);
  return tool ?? { name, input_schema: { type: "object" } };
}

/** Whether the n-th request, counted from 1, had its tools made for it, and a resumed run its tools made once more. @see LOOP-79 LOOP-82 */
export function checkToolsEvaluated(seen: Observation, number: number): Failure[] {
  if (!seen.filled.case.given.dynamic_tools || seen.requests[number - 1]?.summary) return [];
  const last = lastTurnRequest(seen, number);
  const made = seen.toolsets.filter(({ before }) => before > last && before <= number).length;
  const resumes = seen.results.length - (seen.toolsets.findLast(({ before }) => before <= last)?.resumes ?? 0);
  const ended = seen.journal?.ended ?? 0; // each process makes them anew, if it was in a turn or comes to one
  if (made >= 1 && made <= 1 + resumes + ended) return [];
  const mayGoOn = seen.disturbed || seen.answers.at(-1)?.stopReason === "pause"; // another try, in the same turn
  if (made === 1 + resumes || (made === 0 && number > 1 && mayGoOn)) return [];
  const message = `the tools of model request ${number} were evaluated ${made} times`;
  return [breach(resumes > 0 ? "LOOP-82" : "LOOP-79", message, { expected: 1 + resumes, received: made })];
}
