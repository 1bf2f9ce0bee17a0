// Plays the hooks of a run: answers each call as the case says, and notes what has to follow from the answer.

import type { CaseHook, Failure, HookCall, HookFireParams, HookPoint, HookReply } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import { usesOf } from "../suite/lint/hooks.ts";
import { fitsTool } from "../suite/placeholders.ts";
import type { Reply } from "../driver/rpc.ts";
import type { Observation } from "../observed/observation.ts";
import { endedOtherwise, runOfSession } from "../observed/subruns.ts";
import type { RunContext } from "./run-context.ts";

/** The defaults of a hook. */
const defaults = { hook_timeout_ms: 60_000, max_stop_blocks: 3 };

/** Points at which a hook that throws has blocked. @see HOOK-14 */
const closedPoints: HookPoint[] = ["user_input", "before_model", "after_model", "before_tool"];

/** Points at which a subagent is none of its run's hooks' business. @see SUBAGENT-26 */
const pointsOfThePerson: HookPoint[] = ["user_input", "stop"];

/** The hooks of one run, which watch over its subagents too. */
export class HookPlayer {
  readonly #run: RunContext;
  readonly #callCounts = new Map<number, number>();
  /** After how many resumes the hooks were first asked about a call. */
  readonly #askedSince = new Map<string, number>();
  /** The points at which a hook has not answered yet, with what they are about. */
  readonly #open = new Set<string>();
  #stopBlocks = 0;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Answers as a hook. Settles when it has, or when it waits at its gate. */
  async fire({ hook: number, call }: HookFireParams, reply: Reply): Promise<void> {
    const { seen, actions, gates, hasBarrier, life, elapsedMs: calledAt } = this.#run;
    const { hooks = [] } = seen.filled.case.given;
    const hook = hooks[number];
    seen.hooks.push({ hook: number, ...call });
    const asking = runOfSession(seen, call.session_id) ?? seen;
    this.#run.fail(hook ? this.#check(number, hook, call, asking) : [unknown(number, hooks.length)]);
    actions.sightings.hooks += 1;
    const fired = this.#run.fire();
    if (!hook) return reply.error(`the case has no hook ${number}`);
    if (call.point === "user_input" && call.message) asking.expected.accepted(call.message);
    const place = placeOf(call);
    this.#open.add(place);
    const answer = () => {
      this.#open.delete(place);
      if (life !== this.#run.life) return; // its process has ended
      const { isCancelled, isOver, elapsedMs } = this.#run;
      const { hook_timeout_ms: limit = defaults.hook_timeout_ms } = seen.filled.case.given.options ?? {};
      const isLate = limit !== null && elapsedMs - calledAt >= limit;
      if (!isCancelled && !isOver && !isLate) this.#follow(hook, call, this.#next(number, hook), asking);
      if (hook.throw !== undefined) reply.error(hook.throw);
      else reply.result(this.#nextReply(number, hook));
    };
    if (hook.hold !== undefined) {
      gates.wait(hook.hold, answer);
      return this.#run.watch();
    }
    await fired;
    // Another hook of the point that is asked beside this one is seen before this one answers.
    if (hasBarrier && hooks.filter(({ point }) => point === hook.point).length > 1) await this.#run.quiet.lasting(1);
    answer();
  }

  #check(number: number, { point, tool }: CaseHook, call: HookCall, asking: Observation): Failure[] {
    const { isOver, isCancelled, usesClock, seen, input } = this.#run;
    const { sessionId } = input;
    const isKnown = runOfSession(seen, call.session_id) !== undefined;
    const isOfThePerson = asking !== seen && pointsOfThePerson.includes(point);
    const what = `hook ${number}, which is for ${point}${tool === undefined ? "" : ` of ${tool}`},`;
    if (call.point !== point) return [breach("HOOK-1", `${what} was asked at ${call.point}`, { received: call })];
    const isForeign = tool !== undefined && !fitsTool(tool, call.call?.name ?? "");
    const isBeside = this.#open.has(placeOf(call)) && !usesClock && !isCancelled;
    const settledBy = point === "before_tool" && call.call ? asking.expected.refusal(call.call.id) : undefined;
    return [
      ...when(isOver, () => breach("LOOP-28", `${what} was asked after the result`, { received: call })),
      ...when(isForeign, () => breach("HOOK-2", `${what} was asked about ${call.call?.name ?? "no tool"}`)),
      ...when(isBeside, () => breach("HOOK-1", `${what} was asked before the one before it had answered`)),
      ...when(settledBy, () =>
        breach("HOOK-4", `${what} was asked about a call that a hook had settled [${settledBy}]`),
      ),
      ...when(isOfThePerson, () =>
        breach("SUBAGENT-26", `${what} was asked in the run of the agent that answers ${asking.path.join("/")}`),
      ),
      ...when(!isKnown, () =>
        breach("HOOK-17", `${what} was given another session`, { expected: sessionId, received: call.session_id }),
      ),
      ...this.#checkChanged(what, call, asking),
    ];
  }

  /** @see HOOK-3 */
  #checkChanged(what: string, { point, call, output }: HookCall, { expected }: Observation): Failure[] {
    if (!call || expected.isOpen) return [];
    const requested = expected.execute(call.id, call.name)?.input;
    const isOther = requested && matchData(requested, call.input, "", true).length > 0;
    const answer = point === "before_tool" ? undefined : expected.answerTo(call.id);
    const answered = answer?.output ?? answer?.thrown;
    const isOtherOutput = answered !== undefined && matchData(answered, output, "", true).length > 0;
    return [
      ...when(isOther, () =>
        breach("HOOK-3", `${what} was given other arguments`, { expected: requested, received: call.input }),
      ),
      ...when(isOtherOutput, () =>
        breach("HOOK-3", `${what} was given another output`, { expected: answered, received: output }),
      ),
    ];
  }

  /** What the hook answers this time. */
  #next(number: number, hook: CaseHook): HookReply | { thrown: string } {
    return hook.throw === undefined ? this.#reply(number, hook) : { thrown: hook.throw };
  }

  #reply(number: number, { reply, sequence }: CaseHook): HookReply {
    return reply ?? sequence![this.#callCounts.get(number) ?? 0] ?? sequence!.at(-1)!;
  }

  #nextReply(number: number, hook: CaseHook): HookReply {
    const reply = this.#reply(number, hook);
    this.#callCounts.set(number, (this.#callCounts.get(number) ?? 0) + 1);
    return reply;
  }

  /** Notes what follows from an answer that came in time. */
  #follow({ point }: CaseHook, { call }: HookCall, reply: HookReply | { thrown: string }, asking: Observation): void {
    const { expected } = asking;
    const isDecided = call !== undefined && this.#isDecided(call.id);
    if (point === "before_model" && ("thrown" in reply || reply.block !== undefined)) expected.blocked();
    if ("thrown" in reply) {
      if (closedPoints.includes(point)) this.#refuse(asking, point, call?.id, "HOOK-14");
      return;
    }
    const { block, skip, input, output, is_error, add_context } = reply;
    // What a point has no use for is ignored.
    if (add_context !== undefined && usesOf[point].includes("add_context")) expected.addContext(add_context, call?.id);
    if (point === "stop" && block !== undefined && this.#mayGoOn()) expected.addContext(block);
    const answer = output !== undefined && { output, ...(is_error && { isError: true }) };
    if (point !== "before_tool") {
      if (block !== undefined) this.#refuse(asking, point, undefined, "HOOK-12");
      else if (answer && call) expected.replaced(call.id, answer);
    } else if (block !== undefined) this.#refuse(asking, point, call?.id, "HOOK-5");
    else if (skip) this.#refuse(asking, point, call?.id, "HOOK-7");
    else if (answer) {
      this.#refuse(asking, point, call?.id, "HOOK-8");
      expected.answered(call!.id, answer);
    } else if (input && !isDecided) expected.edit(call!.id, input);
  }

  /** Whether the arguments of a call were decided on before the run was resumed. @see HOOK-19 */
  #isDecided(id: string): boolean {
    const { length } = this.#run.seen.results;
    const since = this.#askedSince.get(id) ?? length;
    this.#askedSince.set(id, since);
    return since < length;
  }

  /** A call, or every call of a response, must not be executed any more. */
  #refuse(asking: Observation, point: HookPoint, id: string | undefined, requirement: string): void {
    const { expected } = asking;
    if (id !== undefined) return expected.refuse(id, requirement);
    endedOtherwise(asking); // by whatever point but that of a call
    if (point === "after_model")
      for (const call of expected.batches.at(-1) ?? []) expected.refuse(call.id, requirement);
  }

  #mayGoOn(): boolean {
    const { max_stop_blocks: most = defaults.max_stop_blocks } = this.#run.seen.filled.case.given.options ?? {};
    this.#stopBlocks += 1;
    return this.#stopBlocks <= most;
  }
}

/** A point, and what is asked about there. */
function placeOf({ session_id, point, call, message }: HookCall): string {
  return JSON.stringify([session_id, point, call?.id, message]);
}

function unknown(hook: number, count: number): Failure {
  return { code: "assertion", message: `hook ${hook} was asked, but the case has ${count}`, received: hook };
}

function when(isBroken: unknown, failure: () => Failure): Failure[] {
  return isBroken ? [failure()] : [];
}
