// Makes the five points of the core out of plug-ins: an onion, in one order for all points.

import type { Agent, LoopError, CallDecision } from "../../schemas/types.ts";
import { plainPoints } from "../core/agent-loop.ts";
import type { Executed, InvokeModel, Ports, SettleVerdict, State, ExecutableCall } from "../core/ports.ts";
import { lastCalls } from "../core/session.ts";
import type { Boundary, Points, Settle } from "../plugins/plugin.ts";
import type { EarlyEndingPoints } from "./early-ending.ts";
import { keepResults, endBroken } from "./keep-results.ts";

/** The points of a run, outermost first. */
export type Onion = readonly Points[];

/** What is innermost, and what the run itself has to say. */
export interface Kernel {
  invokeModel: Ports["invokeModel"];
  emit: Ports["emit"];
  /** Why the run must not begin. */
  refused: LoopError | undefined;
  /** If somebody may end the run early. */
  early: EarlyEndingPoints | undefined;
  /** What came of calls in an earlier process, by id. */
  finished: ReadonlyMap<string, { executed: Executed }> | undefined;
}

/** The points of the core, but for its tools. A point that no plug-in has is the plain one. */
export function compose(onion: Onion, { invokeModel, emit, refused, early, finished }: Kernel) {
  const decide = keepForbidden(onion, around(onion, "beforeCall", plainPoints.decide));
  const boundary = boundaryOf(onion, refused, emit);
  return {
    invokeModel: around(onion, "aroundModel", invokeModel),
    decide: early ? early.guard(decide) : decide,
    execute: keepResults(around(onion, "aroundBatch", plainPoints.execute), finished),
    boundary: early ? early.before(boundary) : boundary,
    settle: settleOf(onion, early),
    checkpoint: refused ? plainPoints.checkpoint : checkpointOf(onion),
  } satisfies Partial<Ports>;
}

/** What stands at a point, the innermost innermost. */
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

/** One request to the provider with what stands around it. */
export function aroundRequest(onion: Onion, core: InvokeModel, aside: boolean): InvokeModel {
  let request = core;
  for (let i = onion.length - 1; i >= 0; i -= 1) request = onion[i]!.aroundRequest?.(request, aside) ?? request;
  return request;
}

/** The agents as the model is to see them. */
export function declaredBy(onion: Onion, agents: Record<string, Agent>): Record<string, Agent> {
  let declared = agents;
  for (let i = onion.length - 1; i >= 0; i -= 1) declared = onion[i]!.agents?.(declared) ?? declared;
  return declared;
}

/**
 * A run goes on unless a check ends it, with what there is to say or to replace before the next turn. A run that would end keeps
 * going if somebody has something to say then, or before its end, unless a check would end it anyway; then the last word may
 * still be that it ends otherwise.
 * @see EVENT-15
 */
function boundaryOf(onion: Onion, refused: LoopError | undefined, emit: Ports["emit"]): Ports["boundary"] {
  const checks: Boundary[] = refused ? [refusal(refused)] : [];
  const openers: Boundary[] = [];
  const keepers: Boundary[] = [];
  const closers: Boundary[] = [];
  for (const { betweenTurns } of onion) {
    if (!betweenTurns) continue;
    const { check, beforeTurn, beforeEnd, lastWord } = betweenTurns;
    if (check) checks.push(check);
    if (beforeTurn) openers.push(beforeTurn);
    if (beforeEnd) keepers.unshift(beforeEnd);
    if (lastWord) closers.unshift(lastWord);
  }
  const check = firstOf(checks);
  const open = firstOf(openers);
  const keep = firstOf([...openers, ...keepers]);
  const close = firstOf(closers);
  return async (state) => {
    const verdict = await check(state);
    if (verdict.do !== "end") return state.ending ? keep(state) : open(state);
    if (state.ending) return close(state);
    const { limit, ending } = verdict;
    if (limit !== undefined) emit({ type: "limit", turn: state.turn, limit, status: ending.status });
    return verdict;
  };
}

/** Asks one boundary after another until one does not say `continue`. */
function firstOf(boundaries: Boundary[]): Boundary {
  return async (state) => {
    for (const boundary of boundaries) {
      const asked = boundary(state);
      const verdict = asked instanceof Promise ? await asked : asked;
      if (verdict.do !== "continue") return verdict;
    }
    return { do: "continue" };
  };
}

/** A run that cannot be ends before it begins. @see LOOP-38 LOOP-39 LOOP-58 LOOP-72 */
function refusal(error: LoopError): Boundary {
  return () => ({ do: "end", ending: { status: "error", error } });
}

/** Whatever was decided about a call, with whatever arguments: what must not be executed is not. */
function keepForbidden(onion: Onion, decide: Ports["decide"]): Ports["decide"] {
  if (!hasGuard(onion)) return decide;
  return async (call, state) => permitted(onion, call, await decide(call, state), state);
}

/** The same for what was decided before the run went on, by its caller or in an earlier process. What has been executed stays so. */
export function withoutForbidden(onion: Onion, state: State, finished: Kernel["finished"]): State {
  if (state.phase !== "executing" || !hasGuard(onion)) return state;
  const isExecuted = (id: string) => finished?.has(id) || state.unfinished?.[id]?.executed !== undefined;
  const decisions = lastCalls(state).map(({ id, name, input }, i) => {
    const decision = state.decisions[i]!;
    return isExecuted(id) ? decision : permitted(onion, { id, name, input: input ?? {} }, decision, state);
  });
  return { ...state, decisions };
}

function hasGuard(onion: Onion): boolean {
  for (const { forbids } of onion) if (forbids) return true;
  return false;
}

function permitted(onion: Onion, call: ExecutableCall, decision: CallDecision, state: State): CallDecision {
  if (decision.do !== "run") return decision;
  const final = decision.input ? { ...call, input: decision.input } : call;
  for (const points of onion) {
    const result = points.forbids?.(final, state);
    if (result) return { do: "answer", result };
  }
  return decision;
}

/** Everything that one of them puts into the state is put there; the first one that ends the run, at once or at the boundary, does so. */
function settleOf(onion: Onion, early: EarlyEndingPoints | undefined): Ports["settle"] {
  const settles: Settle[] = early ? [early.settle, endBroken] : [endBroken];
  let isAlwaysAsked = early !== undefined;
  for (const { afterBatch, afterRequest } of onion) {
    if (afterBatch) settles.push(afterBatch);
    if (afterRequest) settles.push(afterRequest);
    isAlwaysAsked ||= afterBatch !== undefined;
  }
  return async (executed, state) => (isAlwaysAsked || executed.some(asks) ? joined(settles, executed, state) : NOTHING);
}

const NOTHING: SettleVerdict = {};

/** Whether something follows from an execution. Most do not. */
function asks({ final, context_updates, handoff, broken }: Executed): boolean {
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

function checkpointOf(onion: Onion): Ports["checkpoint"] {
  const keepers: Ports["checkpoint"][] = [];
  for (const { checkpoint } of onion) if (checkpoint) keepers.push(checkpoint);
  if (keepers.length < 2) return keepers[0] ?? plainPoints.checkpoint;
  return async (state) => {
    for (const keep of keepers) await keep(state);
  };
}
