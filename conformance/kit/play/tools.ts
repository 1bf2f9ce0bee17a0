// Plays the tools of a run: answers each execution as the case's handlers say, and checks that it was asked for.

import type { Failure, Handler, ToolExecuteParams, ToolExecuteResult } from "../../../schemas/types.ts";
import { isInvalidCall, isSameInWords } from "../checks/invalid-calls.ts";
import { checkTrace } from "../checks/trace.ts";
import type { ToolAnswer } from "../observed/expected-session.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { Execution, Observation } from "../observed/observation.ts";
import type { Reply } from "../driver/rpc.ts";
import { scriptedCall } from "../observed/scripted-call.ts";
import type { RunContext } from "./run-context.ts";
import { callingRun, isAgentTool, runsOf } from "../observed/subruns.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { toolsNow } from "../observed/tools-now.ts";

/** The tools of one run. */
export class ToolPlayer {
  readonly #run: RunContext;
  readonly #executed = new Map<string, number>();

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Executes a tool. Settles when it was answered, or when it waits at its gate. */
  async execute({ call, context, trace }: ToolExecuteParams, reply: Reply): Promise<void> {
    const { seen, clock, actions, gates, hasBarrier, life } = this.#run;
    const { name, input } = call;
    // A call that came without an id is known by its execution until a request shows the one that it was given.
    const known = isOwnId(call.id, seen) ? undefined : call.id;
    const id = known ?? (scriptedCall(seen, name, input) || `execution ${seen.executions.length + 1}`);
    const resumes = seen.results.length;
    const execution: Execution = { id, name, input, ...(context && { context }), resumes, life, start: clock };
    const run = callingRun(seen, id, name);
    this.#run.fail([
      ...this.#check(execution, run, run.expected.execute(id, name, input)?.input),
      ...this.#checkContext(execution, run),
      ...checkTrace(name, seen.filled.case.given.trace, trace, run === seen ? "TOOL-36" : "TOOL-37"),
    ]);
    seen.executions.push(execution);
    if (run !== seen) run.executions.push(execution);
    // What a tool says in turn is for the calls that are right.
    const handler = isInvalidCall(id, seen) ? { output: "This was not to be done." } : this.#handler(name);
    actions.sightings.started.add(name);
    const fired = this.#run.fire();
    if (!handler) return this.#answer(execution, run, { thrown: "the kit has no handler for this execution" }, reply);
    const { progress = [] } = handler;
    const answer = () => {
      if (life !== this.#run.life) return; // its process has ended
      // A tool that has timed out repeats all of its progress; it must be ignored. @see TOOL-31
      if (execution.end !== undefined && !this.#run.isOver) this.#reportProgress(id, progress);
      this.#answer(execution, run, answerOf(handler), reply, handler.fatal);
    };
    this.#reportProgress(id, progress);
    run.progress.push(...progress.map((value) => ({ id, progress: value })));
    if (handler.hold !== undefined) {
      gates.wait(handler.hold, answer);
      return this.#run.watch();
    }
    await fired;
    // A sibling that starts beside this call is seen before the call ends.
    if (hasBarrier && run.expected.isBatch) await this.#run.quiet.lasting(1);
    answer();
  }

  /** Notes that a tool was signalled to stop. */
  aborted(id: string): void {
    const { seen, clock } = this.#run;
    seen.aborted.push(id);
    for (const run of [seen, ...seen.subruns]) run.expected.unsettled(id);
    // From here on the loop does not wait for the tool, so that what starts now does not overlap with it.
    for (const execution of seen.executions) if (execution.id === id) execution.end ??= clock;
  }

  /** @param requested the arguments that the model wrote: null if they were no object, undefined if it made no such call */
  #check(
    { id, name, input }: Execution,
    run: Observation,
    requested: Record<string, unknown> | null | undefined,
  ): Failure[] {
    const { isOver, hasReceivedCancel } = this.#run;
    const { seen } = this.#run;
    const received = { id, name, input };
    const isAgain =
      id !== "" && (run === seen ? runsOf(seen)[0]! : run).executions.some((execution) => execution.id === id);
    const repeated = isAgain ? this.#run.repetition(id, name) : undefined;
    const { agent } = run.expected.during;
    const isForeign = requested !== undefined && !toolsNow(run, agent).some((tool) => tool.name === name);
    const isInvalid = isInvalidCall(id, seen);
    const isDifferent = requested && matchData(requested, input, "", true).length > 0;
    const isConverted = isInvalid && isDifferent && isSameInWords(requested, input);
    const refusedBy = run.expected.refusal(id);
    const known = run.expected.calls.map(({ message }) => message.id);
    return [
      ...when(isOver, () => breach("LOOP-28", `tool ${name} was executed after the result`, { received })),
      ...when(hasReceivedCancel, () => breach("CANCEL-2", `tool ${name} was started after the cancel`, { received })),
      ...when(isAgentTool(seen, name), () =>
        breach("SUBAGENT-1", `tool ${name} is an agent: the loop has to run it, and not the kit`, { received }),
      ),
      ...when(isAgain && repeated, () =>
        isAskedAgain(run, id)
          ? breach("SESSION-9", `two calls were executed under the id ${id}, which the model gave twice`, { received })
          : breach(repeated!, `the call ${id} of ${name} was executed twice`),
      ),
      ...when(requested === undefined && !run.expected.isOpen && !isAgain, () =>
        breach(unknownCall(run, name), `tool ${name} was executed as ${id}, but the last response has no such call`, {
          expected: known,
          received: id,
        }),
      ),
      ...when(refusedBy, () =>
        breach(refusedBy!, `tool ${name} was executed, though a hook or guardrail had settled the call`),
      ),
      ...when(isForeign, () =>
        breach(
          this.#run.input.filled.case.given.dynamic_tools ? "LOOP-80" : "TOOL-9",
          `tool ${name} was executed, but the agent ${agent} has no such tool`,
        ),
      ),
      ...when(requested === null, () =>
        breach("TOOL-3", `tool ${name} was executed, but its arguments were not a JSON object`, { received: input }),
      ),
      ...when(isInvalid && !isConverted, () =>
        breach("TOOL-5", `tool ${name} was executed, but its arguments break its schema`, { received: input }),
      ),
      ...when(isDifferent && !isConverted, () =>
        breach("TOOL-8", `tool ${name} was executed with arguments that the model did not write`, {
          expected: requested,
          received: input,
        }),
      ),
    ];
  }

  #reportProgress(id: string, progress: readonly unknown[]): void {
    const { connection, run } = this.#run.input;
    for (const value of progress) connection.notify("tool/progress", { run, id, progress: value });
  }

  /** @see TOOL-32 TOOL-33 */
  #checkContext({ name, context = {} }: Execution, run: Observation): Failure[] {
    if (run.expected.isOpen || !run.driver.features?.includes("context")) return [];
    const { given } = run.filled.case;
    const { context: expected = {} } = run.expected.during;
    if (matchData(expected, context, "", true).length === 0) return [];
    const wasMerged = matchData(expected, given.context ?? {}, "", true).length > 0;
    const message = `tool ${name} got context variables that differ from those before its batch`;
    return [breach(wasMerged ? "TOOL-33" : "TOOL-32", message, { expected, received: context })];
  }

  #handler(name: string): Handler | undefined {
    const handlers = this.#run.input.filled.case.given.handlers ?? {};
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    const count = (this.#executed.get(name) ?? 0) + 1;
    this.#executed.set(name, count);
    if (!handler?.sequence) return handler;
    const next = handler.sequence[count - 1];
    const message = `tool ${name} was executed ${count} times, but its sequence has ${handler.sequence.length} entries`;
    if (!next) this.#run.fail([{ code: "assertion", message }]);
    return next;
  }

  #answer(execution: Execution, run: Observation, answer: ToolAnswer, reply: Reply, fatal = false): void {
    const { seen, actions, isCancelled, isOver } = this.#run;
    execution.end ??= ++this.#run.clock;
    execution.answer = answer;
    const counts = !isCancelled && !isOver && !seen.aborted.includes(execution.id);
    if (counts) {
      execution.counts = true;
      run.expected.answered(execution.id, answer);
    }
    if (fatal) run.disturbed = true;
    if (answer.thrown !== undefined) reply.error(answer.thrown, { thrown: true, ...(fatal && { fatal }) });
    else reply.result(answer.returned);
    actions.sightings.ended.add(execution.name);
    void this.#run.fire();
  }
}

/** Whether a framework has given a call an id of its own, which no model has said: what it executes is then known by what it is. */
function isOwnId(id: string | undefined, { driver, answers, expected }: Observation): boolean {
  if (id === undefined || !isWireDriver(driver)) return false;
  const messages = [...answers.flatMap((answer) => answer.messages), ...expected.calls.map(({ message }) => message)];
  return !messages.some((one) => one.type === "tool_call" && one.id === id);
}

/** Whether the model itself gave this id to several calls. */
function isAskedAgain({ answers }: Observation, id: string): boolean {
  const calls = answers.flatMap(({ messages }) => messages.filter((one) => one.type === "tool_call" && one.id === id));
  return calls.length > 1;
}

/** What an execution breaks that the last whole response does not ask for: one that was cut off did, or the call has another id. */
function unknownCall({ disturbed, expected, driver }: Observation, name: string): string {
  if (disturbed) return "LOOP-19";
  // Without an id, one execution more than there are calls is one of a call that was executed before.
  if (isWireDriver(driver)) return "TOOL-12";
  return expected.batches.at(-1)?.some((call) => call.name === name) ? "SESSION-9" : "EVENT-9";
}

function answerOf(handler: Handler): ToolAnswer {
  if (handler.throw !== undefined) return { thrown: handler.throw, ...(handler.fatal && { fatal: true }) };
  if (handler.returns !== undefined)
    return { output: textOf(handler.returns), returned: { returned: handler.returns } };
  const { output, data, is_error, final, context_updates, handoff, metrics } = handler;
  const returned: ToolExecuteResult = {
    ...(output !== undefined && { output }),
    ...(data !== undefined && { data }),
    ...(is_error && { is_error }),
    ...(final && { final }),
    ...(context_updates && { context_updates }),
    ...(handoff !== undefined && { handoff }),
    ...(metrics && { metrics }),
  };
  return { output: output ?? JSON.stringify(data), ...(is_error && { isError: true }), returned };
}

/** What the model reads of a value that a tool returned. @see TOOL-39 TOOL-40 */
function textOf(returns: unknown): string {
  if (returns === null) return "";
  return typeof returns === "string" ? returns : JSON.stringify(returns);
}

function when(isBroken: unknown, failure: () => Failure): Failure[] {
  return isBroken ? [failure()] : [];
}
