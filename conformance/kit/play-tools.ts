// Plays the tools of a run: answers each execution as the case's handlers say, and checks that it was asked for.

import type { Failure, Handler, ToolExecuteParams } from "../../reference/types.ts";
import type { ToolAnswer } from "./expected-session.ts";
import { breach } from "./failures.ts";
import { matchData } from "./matcher.ts";
import type { Execution } from "./observation.ts";
import type { Reply } from "./rpc.ts";
import type { Stage } from "./stage.ts";

/** The tools of one run. */
export class ToolPlayer {
  readonly #stage: Stage;
  readonly #executed = new Map<string, number>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Executes a tool. Settles when it was answered, or when it waits at its gate. */
  async execute({ call }: ToolExecuteParams, reply: Reply): Promise<void> {
    const { seen, clock, actions, gates, hasBarrier } = this.#stage;
    const { id, name, input } = call;
    const execution: Execution = { id, name, input, start: clock };
    seen.executions.push(execution);
    this.#stage.fail(this.#check(execution, seen.expected.execute(id, name)?.input));
    const handler = this.#handler(name);
    actions.sightings.started.add(name);
    const fired = this.#stage.fire();
    if (!handler) return this.#answer(execution, { thrown: "the kit has no handler for this execution" }, reply);
    const answer = () => this.#answer(execution, answerOf(handler), reply, handler.fatal);
    if (handler.hold !== undefined) {
      gates.wait(handler.hold, answer);
      return this.#stage.watch();
    }
    await fired;
    // A sibling that starts beside this call is seen before the call ends.
    if (hasBarrier && seen.expected.isBatch) await this.#stage.quiet(1);
    answer();
  }

  /** Notes that a tool was signalled to stop. */
  aborted(id: string): void {
    const { seen, clock } = this.#stage;
    seen.aborted.push(id);
    seen.expected.unsettled(id);
    // From here on the loop does not wait for the tool, so that what starts now does not overlap with it.
    for (const execution of seen.executions) if (execution.id === id) execution.end ??= clock;
  }

  /** @param asked the arguments that the model wrote: null if they were no object, undefined if it made no such call */
  #check({ id, name, input }: Execution, asked: Record<string, unknown> | null | undefined): Failure[] {
    const { isOver, hasHeardCancel, seen } = this.#stage;
    const received = { id, name, input };
    const isAgain = seen.executions.filter((execution) => execution.id === id).length > 1;
    const isOther = asked && matchData(asked, input, "", true).length > 0;
    const known = seen.expected.calls.map(({ message }) => message.id);
    return [
      ...when(isOver, () => breach("LOOP-28", `tool ${name} was executed after the result`, { received })),
      ...when(hasHeardCancel, () => breach("CANCEL-2", `tool ${name} was started after the cancel`, { received })),
      ...when(isAgain, () => breach("TOOL-12", `the call ${id} of ${name} was executed twice`)),
      ...when(asked === undefined && !seen.expected.isOpen, () =>
        breach("EVENT-9", `tool ${name} was executed as ${id}, but the last response has no such call`, {
          expected: known,
          received: id,
        }),
      ),
      ...when(asked === null, () =>
        breach("TOOL-3", `tool ${name} was executed, but its arguments were not a JSON object`, { received: input }),
      ),
      ...when(isOther, () =>
        breach("TOOL-8", `tool ${name} was executed with other arguments than the model wrote`, {
          expected: asked,
          received: input,
        }),
      ),
    ];
  }

  #handler(name: string): Handler | undefined {
    const handlers = this.#stage.input.filled.case.given.handlers ?? {};
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    const count = (this.#executed.get(name) ?? 0) + 1;
    this.#executed.set(name, count);
    if (!handler) this.#stage.fail([breach("TOOL-9", `tool ${name} was executed, but the case has no handler for it`)]);
    if (!handler?.sequence) return handler;
    const next = handler.sequence[count - 1];
    const message = `tool ${name} was executed ${count} times, but its sequence has ${handler.sequence.length} entries`;
    if (!next) this.#stage.fail([{ code: "assertion", message }]);
    return next;
  }

  #answer(execution: Execution, answer: ToolAnswer, reply: Reply, fatal = false): void {
    const { seen, actions, isCancelled, isOver } = this.#stage;
    execution.end ??= ++this.#stage.clock;
    execution.answer = answer;
    const counts = !isCancelled && !isOver && !seen.aborted.includes(execution.id);
    if (counts) seen.expected.answered(execution.id, answer);
    if (fatal) seen.disturbed = true;
    if (answer.thrown !== undefined) reply.error(answer.thrown, { thrown: true, ...(fatal && { fatal }) });
    else
      reply.result({
        output: answer.output!,
        ...(answer.isError && { is_error: true }),
        ...(answer.isFinal && { final: true }),
      });
    actions.sightings.ended.add(execution.name);
    void this.#stage.fire();
  }
}

function answerOf({ output, is_error, final, throw: thrown }: Handler): ToolAnswer {
  if (thrown !== undefined) return { thrown };
  return { output: output!, ...(is_error && { isError: true }), ...(final && { isFinal: true }) };
}

function when(isBroken: unknown, failure: () => Failure): Failure[] {
  return isBroken ? [failure()] : [];
}
