// Composes the plug-ins into the points of the core: an onion, in one order for all points.

import type { Agent, LoopError, CallDecision } from "../../schemas/types.ts";
import { plainPoints } from "../core/agent-loop.ts";
import type {
  BoundaryVerdict,
  Executed,
  InvokeModel,
  Ports,
  SettleVerdict,
  State,
  ExecutableCall,
} from "../core/ports.ts";
import type { Boundary, Points, ReviewTime, Settle } from "../plugins/plugin.ts";
import type { Deadline } from "./deadline.ts";
import type { EarlyEndingPoints } from "./early-ending.ts";
import { withHashes } from "../state/pending-calls.ts";
import { keepResults, endBroken } from "./keep-results.ts";

/** The points of a run, outermost first. */
export type Onion = readonly Points[];

/** The innermost functions, and what the run itself adds. */
export interface Kernel {
  invokeModel: Ports["invokeModel"];
  emit: Ports["emit"];
  /** Why the run must not start. */
  refused: LoopError | undefined;
  /** Set if the run has one. */
  deadline: Deadline | undefined;
  /** Set if a plug-in may end the run early. */
  early: EarlyEndingPoints | undefined;
  /** The results of calls in an earlier process, by id. */
  finished: ReadonlyMap<string, { executed: Executed }> | undefined;
}

/** The points of the core, except for its tools. A point that no plug-in has is the default one. */
export function compose(onion: Onion, { invokeModel, emit, refused, deadline, early, finished }: Kernel) {
  const decide = reviewing(onion, around(onion, "beforeCall", plainPoints.decide));
  const boundary = boundaryOf(onion, refused, emit);
  return {
    invokeModel: around(onion, "aroundModel", invokeModel),
    decide: early ? early.guard(decide) : decide,
    execute: keepResults(around(onion, "aroundBatch", plainPoints.execute), finished),
    boundary: early ? early.before(boundary) : boundary,
    settle: settleOf(onion, early),
    checkpoint: refused ? plainPoints.checkpoint : checkpointOf(onion, deadline),
  } satisfies Partial<Ports>;
}

/** Wraps the core function of a point, the outermost plug-in last. */
export function around<F>(
  onion: Onion,
  point: "aroundModel" | "beforeCall" | "aroundBatch" | "aroundTool",
  core: F,
): F {
  let wrapped = core;
  for (let i = onion.length - 1; i >= 0; i -= 1) {
    const wrap = onion[i]![point] as ((next: F) => F) | undefined;
    if (wrap) wrapped = wrap.call(onion[i], wrapped);
  }
  return wrapped;
}

/** Wraps one request to the provider. */
export function aroundRequest(onion: Onion, core: InvokeModel, aside: boolean): InvokeModel {
  let request = core;
  for (let i = onion.length - 1; i >= 0; i -= 1) request = onion[i]!.aroundRequest?.(request, aside) ?? request;
  return request;
}

/** The agents as the model sees them. */
export function declaredBy(onion: Onion, agents: Record<string, Agent>): Record<string, Agent> {
  let declared = agents;
  for (let i = onion.length - 1; i >= 0; i -= 1) declared = onion[i]!.agents?.(declared) ?? declared;
  return declared;
}

/**
 * A run continues unless a check ends it; `beforeTurn` may append or replace something first. A run about to end continues if
 * `beforeTurn` or `beforeEnd` appends something, unless a check forbids another turn; then `lastWord` may still change the
 * ending.
 * @see EVENT-15
 */
function boundaryOf(onion: Onion, refused: LoopError | undefined, emit: Ports["emit"]): Ports["boundary"] {
  const checks: Boundary[] = refused ? [refusal(refused)] : [];
  const openers: Boundary[] = [];
  const latecomers: Boundary[] = [];
  const keepers: Boundary[] = [];
  const closers: Boundary[] = [];
  for (const { betweenTurns } of onion) {
    if (!betweenTurns) continue;
    const { check, beforeTurn, meanwhile, beforeEnd, lastWord } = betweenTurns;
    if (check) checks.push(check);
    if (beforeTurn) openers.push(beforeTurn);
    if (meanwhile) latecomers.push(meanwhile);
    if (beforeEnd) keepers.unshift(beforeEnd);
    if (lastWord) closers.unshift(lastWord);
  }
  const check = firstOf(checks);
  const open = firstOf([...openers, ...latecomers]);
  const askToGoOn = firstOf(keepers);
  const close = firstOf(closers);
  /** The end of a run that may not take another turn; one that is about to end is not kept from it. */
  const over = async (state: State): Promise<BoundaryVerdict | undefined> => {
    const verdict = await check(state);
    if (verdict.do !== "end") return undefined;
    if (state.ending) return close(state);
    const { limit, ending } = verdict;
    if (limit !== undefined) emit({ type: "limit", turn: state.turn, limit, status: ending.status });
    return verdict;
  };
  /** What keeps a run going that is about to end. Who would not be listened to is not asked. */
  const keep = async (state: State): Promise<BoundaryVerdict> => {
    const verdict = await open(state);
    return verdict.do === "continue" ? ((await over(state)) ?? askToGoOn(state)) : verdict;
  };
  return async (state) => {
    const atOnce = await over(state);
    if (atOnce) return atOnce;
    const verdict = await (state.ending ? keep(state) : open(state));
    const takesATurn = verdict.do === (state.ending ? "append" : "continue");
    // Hooks and guardrails take their time, and the run may have been asked to stop meanwhile. [LOOP-29] [LOOP-124]
    return (takesATurn && (await over(state))) || verdict;
  };
}

/** Calls the boundaries in order until one returns something other than `continue`. */
function firstOf(boundaries: Boundary[]): Boundary {
  return async (state) => {
    for (const boundary of boundaries) {
      const pending = boundary(state);
      const verdict = pending instanceof Promise ? await pending : pending;
      if (verdict.do !== "continue") return verdict;
    }
    return { do: "continue" };
  };
}

/** Ends a refused run before its first turn. @see LOOP-38 LOOP-39 LOOP-58 LOOP-72 */
function refusal(error: LoopError): Boundary {
  return () => ({ do: "end", ending: { status: "error", error } });
}

/** Reviews every decision to execute a call, those of hooks and callers too. */
function reviewing(onion: Onion, decide: Ports["decide"]): Ports["decide"] {
  if (!onion.some(({ review }) => review)) return decide;
  return async (call, state) => reviewed(onion, call, await decide(call, state), state, "decided");
}

/** The decision about a call after every plug-in has reviewed it. A decision not to execute it needs no review. */
export async function reviewed(
  onion: Onion,
  call: ExecutableCall,
  decision: CallDecision,
  state: State,
  when: ReviewTime,
): Promise<CallDecision> {
  if (decision.do !== "run") return decision;
  let current = decision;
  for (const points of onion) {
    const { input } = current;
    const final = input ? { ...call, input } : call;
    const verdict = (await points.review?.(final, current, state, when)) ?? current;
    if (verdict.do === "ask") return { ...verdict, ...(input && { input }) };
    if (verdict.do === "answer") return verdict;
    current = verdict;
  }
  return current;
}

/** All changes of the state apply; the first ending, immediate or at the boundary, wins. */
function settleOf(onion: Onion, early: EarlyEndingPoints | undefined): Ports["settle"] {
  const settles: Settle[] = early ? [early.settle, endBroken] : [endBroken];
  let isAlwaysCalled = early !== undefined;
  for (const { afterBatch, afterRequest } of onion) {
    if (afterBatch) settles.push(afterBatch);
    if (afterRequest) settles.push(afterRequest);
    isAlwaysCalled ||= afterBatch !== undefined;
  }
  return async (executed, state) =>
    isAlwaysCalled || executed.some(hasRequest) ? joined(settles, executed, state) : NOTHING;
}

const NOTHING: SettleVerdict = {};

/** Whether an execution has consequences. Most have none. */
function hasRequest({ final, context_updates, handoff, broken }: Executed): boolean {
  return final === true || context_updates !== undefined || handoff !== undefined || broken !== undefined;
}

function joined(settles: Settle[], executed: Executed[], state: State): SettleVerdict {
  const verdict: SettleVerdict = {};
  for (const settle of settles) {
    const { by, ending } = settle(executed, state) ?? {};
    const earlier = verdict.ending ?? verdict.by?.ending;
    if (by) verdict.by = { ...verdict.by, ...by };
    if (ending && !earlier) verdict.ending = ending;
  }
  return verdict;
}

function checkpointOf(onion: Onion, deadline: Deadline | undefined): Ports["checkpoint"] {
  const keepers: Ports["checkpoint"][] = deadline ? [async (state) => deadline.named(state)] : [];
  for (const { checkpoint } of onion) if (checkpoint) keepers.push(checkpoint);
  if (keepers.length === 0) return plainPoints.checkpoint;
  return async (state) => {
    const kept = state.phase === "suspended" ? await withHashes(state) : state;
    for (const keep of keepers) await keep(kept);
  };
}
