// Plays the guardrails of a run: answers each check as the case says, and notes what has to follow from the finding.

import type {
  CaseGuardrail,
  Failure,
  GuardrailCheck,
  GuardrailCheckParams,
  GuardrailFinding,
  GuardrailPoint,
} from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import type { Execution, Observation } from "../observed/observation.ts";
import { endedOtherwise, runOfSession } from "../observed/subruns.ts";
import type { Reply } from "../driver/rpc.ts";
import type { RunContext } from "./run-context.ts";

/** Points at which a subagent is none of its run's guardrails' business. @see SUBAGENT-28 */
const pointsOfThePerson: GuardrailPoint[] = ["input", "final_output"];

/** The guardrails of one run, which watch over its subagents too. */
export class GuardrailPlayer {
  readonly #run: RunContext;
  readonly #checkCounts = new Map<number, number>();

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Answers as a guardrail. Settles when it has, or when it waits at its gate. */
  async check({ guardrail: number, check }: GuardrailCheckParams, reply: Reply): Promise<void> {
    const { seen, actions, gates, hasBarrier, life } = this.#run;
    const { guardrails = [] } = seen.filled.case.given;
    const guardrail = guardrails[number];
    seen.guardrails.push({ guardrail: number, ...check });
    if (!guardrail) {
      this.#run.fail([unknown(number, guardrails.length)]);
      return reply.error(`the case has no guardrail ${number}`);
    }
    const asking = runOfSession(seen, check.session_id) ?? seen;
    this.#run.fail(this.#check(guardrail, check, asking));
    const finding = this.#find(number, guardrail);
    const answer = () => {
      if (life !== this.#run.life) return; // its process has ended
      const { isCancelled, isOver } = this.#run;
      if (!isCancelled && !isOver) this.#follow(guardrail, check, finding, asking);
      if (guardrail.throw !== undefined) reply.error(guardrail.throw);
      else reply.result(finding);
    };
    actions.sightings.guardrails += 1;
    const fired = this.#run.fire();
    if (guardrail.hold !== undefined) {
      gates.wait(guardrail.hold, answer);
      return this.#run.watch();
    }
    await fired;
    // What a loop does beside a check, and not after it, is seen before the check is over.
    if (hasBarrier) await this.#run.quiet.lasting(1);
    answer();
  }

  #check(
    { name, points }: CaseGuardrail,
    { point, call, session_id }: GuardrailCheck,
    { expected, path }: Observation,
  ): Failure[] {
    const { isOver, hasReceivedCancel, life, seen, input } = this.#run;
    const what = `the guardrail ${name}`;
    const isKnown = runOfSession(seen, session_id) !== undefined;
    const isOfThePerson = path.length > 0 && pointsOfThePerson.includes(point);
    if (call) expected.execute(call.id, call.name, call.input); // shows which id a call has that came without one
    const ids = new Set(expected.batches.at(-1)?.map(({ id }) => id));
    const isOfBatchNow = ({ id, resumes, life: began }: Execution) =>
      ids.has(id) && resumes === seen.results.length && began === life;
    const executed = seen.executions.find(isOfBatchNow);
    const isLate = point === "tool_input" && executed !== undefined;
    const isPlaced = points.includes(point);
    const isOfBatch = call === undefined || expected.isOpen || ids.has(call.id);
    return [
      ...when(isOver, () => breach("LOOP-28", `${what} was asked after the result`)),
      ...when(hasReceivedCancel, () => breach("CANCEL-2", `${what} was asked after the cancel`)),
      ...when(!isKnown, () =>
        breach("GUARDRAIL-24", `${what} was given another session`, {
          expected: input.sessionId,
          received: session_id,
        }),
      ),
      ...when(isOfThePerson, () =>
        breach("SUBAGENT-28", `${what} was asked at ${point} in the run of the agent that answers ${path.join("/")}`),
      ),
      ...when(!isPlaced, () =>
        breach("GUARDRAIL-10", `${what} is for ${points.join(", ")}, but was asked at ${point}`),
      ),
      ...when(!isOfBatch, () =>
        breach("GUARDRAIL-4", `${what} was asked about ${call!.id}, which is no call of the batch`),
      ),
      ...when(isLate, () =>
        breach("GUARDRAIL-4", `${what} was asked about ${call!.id} when ${executed!.id} had been executed`),
      ),
    ];
  }

  #find(number: number, { finding, throw: thrown, sequence }: CaseGuardrail): GuardrailFinding {
    if (thrown !== undefined) return { trip: true };
    const count = this.#checkCounts.get(number) ?? 0;
    this.#checkCounts.set(number, count + 1);
    return finding ?? sequence![count] ?? sequence!.at(-1)!;
  }

  /** Notes what follows from a finding: which calls must not be executed any more. */
  #follow(
    { name }: CaseGuardrail,
    { point, call }: GuardrailCheck,
    finding: GuardrailFinding,
    asking: Observation,
  ): void {
    const { expected, findings } = asking;
    findings.push({ name, point, ...(call && { call: call.id }), ...finding });
    if (!finding.trip) return;
    endedOtherwise(asking);
    const requirement = { model_output: "GUARDRAIL-3", tool_input: "GUARDRAIL-4" }[point as string];
    if (requirement === undefined) return;
    for (const { id } of expected.batches.at(-1) ?? []) expected.refuse(id, requirement);
  }
}

function unknown(guardrail: number, count: number): Failure {
  const message = `guardrail ${guardrail} was asked, but the case has ${count}`;
  return { code: "assertion", message, received: guardrail };
}

function when(isBroken: boolean, failure: () => Failure): Failure[] {
  return isBroken ? [failure()] : [];
}
