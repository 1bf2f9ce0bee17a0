// Compacts the session between two turns: when it is due, with which strategy, and how its replacement is applied.

import type { Ports, State } from "../../core/ports.ts";
import { count, counted } from "../../state/counters.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import type { Agent, CompactionOptions, CompactionReport, LoopError, Message } from "../../../schemas/types.ts";
import type { Ask, Boundary } from "../plugin.ts";
import { replaced } from "./check-replacement.ts";
import { estimateTokens, forgetReported, tokensIn } from "./estimate-tokens.ts";
import { startOfLast } from "./responses.ts";
import { SHORTEN_RESULTS, shortenResults } from "./shorten-results.ts";
import type { CompactionStrategy, Replacement } from "./strategy.ts";
import type { Asked } from "./summary-call.ts";
import { summarize } from "./summarize.ts";
import { truncateOld } from "./truncate-old.ts";

/** What compaction receives from the run. */
export interface Compacting {
  /** The strategies of the caller. */
  strategies: CompactionStrategy[];
  /** As the model sees them. */
  agents(): Record<string, Agent>;
  /** Calls the run's model outside of its turns. @throws an Error; what was billed is added to `billed` in any case */
  ask(messages: Message[], state: State, billed: Asked): Promise<string>;
  /** Calls the hooks. */
  askHooks: Ask;
  emit: Ports["emit"];
  signal: AbortSignal;
}

/** The maximum of failed compactions in a row. @see COMPACT-22 */
const MOST_FAILURES = 3;
const DEFAULT_RESERVE = 10_000;
const DEFAULT_KEEP = 3;

/** @see COMPACT-1 COMPACT-2 COMPACT-4 COMPACT-18 COMPACT-22 */
export function compactBetweenTurns(options: CompactionOptions, run: Compacting): Boundary {
  const strategy = strategyOf(options, run.strategies);
  const atTokens = thresholdOf(options);
  let checked = 0; // the turn before which the session was checked
  return async (state) => {
    if (state.ending || checked > state.turn) return { do: "continue" };
    checked = state.turn + 1;
    const { session: before, compactions: { length: reported } = [] } = state;
    let now = shorten(state, options, run);
    const tokens = estimateTokens(now, run.agents());
    const isDue = strategy !== undefined && tokens >= atTokens;
    if (isDue && counted(now, "compaction_failures") < MOST_FAILURES && (await mayCompact(now, strategy, tokens, run)))
      now = await compact(now, strategy, options, run);
    const { session, response_start, compactions = [] } = now;
    if (session !== before) return { do: "replace", by: { session, response_start } };
    return compactions.length > reported ? { do: "replace", by: {} } : { do: "continue" }; // the limits must count the summary
  };
}

/** The error of a strategy in the options that is unknown, or would never be asked, if any. @see COMPACT-23 COMPACT-27 */
export function wrongStrategy(options: CompactionOptions, strategies: CompactionStrategy[]): LoopError | undefined {
  const problem = problemOf(options, strategies);
  return problem === undefined ? undefined : { kind: "configuration", message: problem };
}

function problemOf(options: CompactionOptions, strategies: CompactionStrategy[]): string | undefined {
  const { strategy, at_tokens, window } = options;
  if (strategy === undefined) return undefined;
  const known = [truncateOld, summarize, ...strategies].map(({ name }) => name).join(", ");
  if (!strategyOf(options, strategies)) return `There is no compaction strategy ${strategy}. Strategies: ${known}.`;
  if ((at_tokens ?? window) !== undefined) return undefined;
  return `options.compaction: expected at_tokens or window beside the strategy ${strategy}, got neither, so it would never be asked. Add at_tokens, the size from which the session is compacted.`;
}

function strategyOf({ strategy }: CompactionOptions, own: CompactionStrategy[]): CompactionStrategy | undefined {
  return [...own, truncateOld, summarize].find(({ name }) => name === strategy);
}

function thresholdOf({ at_tokens, window = Infinity, reserve = DEFAULT_RESERVE }: CompactionOptions): number {
  return at_tokens ?? Math.max(1, window - reserve);
}

function shorten(state: State, options: CompactionOptions, run: Compacting): State {
  let now = state;
  for (const replacement of shortenResults(state.session.messages, options)) {
    const done = apply(now, SHORTEN_RESULTS, replacement, run);
    if (typeof done === "string") warn(now, done, run);
    else now = done;
  }
  return now;
}

async function compact(
  state: State,
  strategy: CompactionStrategy,
  options: CompactionOptions,
  run: Compacting,
): Promise<State> {
  const { messages } = state.session;
  const tokens = estimateTokens(state, run.agents());
  const atTokens = thresholdOf(options);
  const billed: Asked = {};
  let hasAsked = false;
  const task = {
    messages,
    keepFrom: startOfLast(messages, options.keep_last_turns ?? DEFAULT_KEEP),
    tokens,
    atTokens,
    options,
    ask(prompt: Message[]) {
      hasAsked = true;
      return run.ask(prompt, state, billed);
    },
    signal: run.signal,
  };
  let done: State | string;
  let isSmaller = false;
  try {
    const replacement = await unlessAborted(async () => strategy.compact(task), run.signal);
    if (!replacement) return hasAsked ? unused(state, strategy, tokens, billed) : state;
    done = apply(state, strategy.name, replacement, run, billed);
    isSmaller = tokensIn(replacement.messages) < tokensIn(messages.slice(replacement.from, replacement.to));
  } catch (error) {
    done = error instanceof Error ? error.message : String(error);
  }
  if (typeof done !== "string") {
    if (isSmaller) count(done, "compaction_failures", 0);
    else if (hasAsked) failed(done, run);
    const { turn, agent, session } = done;
    const compaction = {
      strategy: strategy.name,
      before_tokens: tokens,
      after_tokens: estimateTokens(done, run.agents()),
    };
    await run.askHooks({ point: "after_compaction", turn, agent, session_id: session.id, compaction });
    return done;
  }
  report(state, { strategy: strategy.name, before_tokens: tokens, failed: done, ...billed });
  warn(state, done, run);
  if (hasAsked) failed(state, run);
  return state;
}

function warn({ turn }: State, why: string, { emit }: Compacting): void {
  const message = `The session was not compacted: ${why}.`;
  emit({ type: "warning", turn, code: "compaction_failed", message });
}

/** @see COMPACT-24 */
async function mayCompact(
  { turn, agent, session }: State,
  { name: strategy }: CompactionStrategy,
  before_tokens: number,
  run: Compacting,
): Promise<boolean> {
  if (run.signal.aborted) return false;
  const compaction = { strategy, before_tokens };
  const context = { turn, agent, session_id: session.id, messages: session.messages, compaction };
  return (await run.askHooks({ point: "before_compaction", ...context })).block === undefined;
}

/** Stops waiting for a strategy once the run is cancelled. */
async function unlessAborted(
  work: () => Promise<Replacement | undefined>,
  signal: AbortSignal,
): Promise<Replacement | undefined> {
  if (signal.aborted) return undefined;
  try {
    const replacement = await raceAbort(work(), signal, () => undefined);
    return signal.aborted ? undefined : replacement;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** The strategy had nothing to do, or the run is over, which is no failure; the model call is still reported. @see COMPACT-31 */
function unused(state: State, { name: strategy }: CompactionStrategy, before_tokens: number, billed: Asked): State {
  report(state, { strategy, before_tokens, failed: "nothing came of it", ...billed });
  return state;
}

/** The state with the replacement, or why it is rejected. */
function apply(
  state: State,
  strategy: string,
  replacement: Replacement,
  run: Compacting,
  billed: Asked = {},
): State | string {
  const done = replaced(state.session, replacement);
  if ("broken" in done) return done.broken;
  const { from, to, messages } = replacement;
  const before_tokens = estimateTokens(state, run.agents());
  if (from < counted(state, "context_messages")) forgetReported(state);
  const response_start = state.response_start + messages.length - (to - from);
  const now = { ...state, session: done.session, response_start };
  const after_tokens = estimateTokens(now, run.agents());
  const sizes = { before_tokens, after_tokens };
  report(state, { strategy, ...sizes, ...billed });
  run.emit({ type: "compaction", turn: state.turn, strategy, from, to, messages, ...sizes });
  return now;
}

/** Appended to the list that all states of the run share. */
function report({ turn, compactions }: State, entry: Omit<CompactionReport, "turn">): void {
  compactions?.push({ turn, ...entry });
}

/** A strategy that asks no model costs nothing, and may fail as often as it likes. @see COMPACT-22 */
function failed(state: State, run: Compacting): void {
  const failures = counted(state, "compaction_failures") + 1;
  count(state, "compaction_failures", failures);
  if (failures !== MOST_FAILURES) return;
  const message = `${MOST_FAILURES} compactions in a row failed or made nothing smaller. The session is no longer compacted in this run.`;
  run.emit({ type: "warning", turn: state.turn, code: "compaction_disabled", message });
}
