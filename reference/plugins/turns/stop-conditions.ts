// Ends a run that could continue: named stop conditions, and final results.

import { canonical } from "../../support/canonical-json.ts";
import type { Executed, SettleVerdict, State } from "../../core/ports.ts";
import { isText, isType, lastCalls, lastResponse } from "../../core/session.ts";
import type { LoopError, RunOptions, ToolCallMessage } from "../../../schemas/types.ts";
import type { Plugin, Settle } from "../plugin.ts";

export interface StopSetup {
  /** Your conditions, checked after those of `options.stop_when`. @see LOOP-48 */
  stopWhen?: StopCondition[];
}

export const stopConditions: Plugin<StopSetup> = {
  name: "stop-conditions",
  options: ["stop_when"],
  setup: ["stopWhen"],
  attach({ options, setup }) {
    if (!options.stop_when && !setup.stopWhen) return;
    const conditions = [...describedConditions(options), ...(setup.stopWhen ?? [])];
    return { refuses: unknownCondition(options) ?? takenName(conditions), afterBatch: stopWhen(conditions) };
  },
};

/** Ends the run if every result of the batch is final. */
export const finalResult: Plugin = { name: "final-result", attach: () => ({ afterRequest: stopWhenFinal }) };

/** A condition under which a run stops, checked after each batch. */
export interface StopCondition {
  /** The `stop_condition` of the result. */
  name: string;
  holds(state: State): boolean;
}

type Described = NonNullable<RunOptions["stop_when"]>[number];

/** The conditions that options can define, by key. */
const conditions: {
  [Key in Exclude<keyof Described, "name">]-?: (value: NonNullable<Described[Key]>) => StopCondition["holds"];
} = {
  /** @see LOOP-49 */
  tool_called: (name) => (state) => lastCalls(state).some((call) => call.name === name),
  /** @see LOOP-50 */
  text_contains: (text) => (state) =>
    lastResponse(state).some((message) => isText(message) && message.content.includes(text)),
  /** @see LOOP-51 */
  same_call: (times) => (state) => {
    const [last, ...earlier] = latestCalls(state, times).map(({ call }) => fingerprint(call));
    return earlier.length === times - 1 && earlier.every((call) => call === last);
  },
  /** @see LOOP-56 */
  no_progress: (batches) => {
    const known = new Set<string>();
    let checked = 0; // steps
    let stale = 0; // latest batches without anything new
    return (state) => {
      const steps = state.steps.slice(checked).filter(({ tool_calls }) => tool_calls > 0);
      const calls = latestCalls(
        state,
        steps.reduce((sum, { tool_calls }) => sum + tool_calls, 0),
      ).toReversed();
      checked = state.steps.length;
      for (const { tool_calls } of steps) {
        const batch = calls.splice(0, tool_calls).map(({ call, result }) => fingerprint(call, result));
        stale = batch.every((one) => known.has(one)) ? stale + 1 : 0;
        for (const one of batch) known.add(one);
      }
      return stale >= batches;
    };
  },
};

/** The problem with `stop_when`, if any. */
function unknownCondition({ stop_when }: RunOptions): LoopError | undefined {
  if (!stop_when) return undefined;
  const known = Object.keys(conditions);
  const wrong = stop_when.find(({ name: _, ...described }) => {
    const keys = Object.keys(described);
    return keys.length !== 1 || !known.includes(keys[0]!);
  });
  if (!wrong) return undefined;
  const message = `Expected a condition of stop_when with one of ${known.join(", ")}, and optionally a name, got ${JSON.stringify(wrong)}.`;
  return { kind: "configuration", message };
}

/** The names under which a loop itself says why it stopped. */
const taken = ["requested", "final_result", "no_active_agent"];

/** The problem with a condition that is named like a reason of the loop itself, if any. @see EXTENSION-5 */
function takenName(conditions: readonly StopCondition[]): LoopError | undefined {
  const wrong = conditions.find(({ name }) => taken.includes(name));
  if (!wrong) return undefined;
  const message = `Expected a stop condition with a name of its own, got ${JSON.stringify(wrong.name)}, which is what a loop reports of itself; rename it.`;
  return { kind: "configuration", message };
}

/** The conditions of `stop_when`, in order. The default name is the key. */
function describedConditions({ stop_when = [] }: RunOptions): StopCondition[] {
  return stop_when.flatMap(({ name, ...described }) => {
    const [[key, value]] = Object.entries(described) as [[keyof typeof conditions, never]];
    return Object.hasOwn(conditions, key) ? [{ name: name ?? key, holds: conditions[key](value) }] : []; // refused
  });
}

/** Ends a run when every result of the batch is final. @see LOOP-52 */
function stopWhenFinal(executed: Executed[], state: State): SettleVerdict | undefined {
  const isLast = executed.every(({ final }) => final) && executed.length === lastCalls(state).length;
  return isLast ? stopped("final_result") : undefined;
}

/** Ends a run when a condition holds; the first one names the ending. Undefined if there are none. @see LOOP-48 */
function stopWhen(stopConditions: StopCondition[]): Settle | undefined {
  if (stopConditions.length === 0) return undefined;
  return (_, state) => {
    const met = stopConditions.find(({ holds }) => holds(state));
    return met && stopped(met.name);
  };
}

function stopped(stop_condition: string): SettleVerdict {
  return { ending: { status: "stopped", stop_condition } };
}

/** The latest calls of the run, the last one first, with their results. */
function latestCalls({ session, steps }: State, count: number): { call: ToolCallMessage; result: unknown }[] {
  const calls: { call: ToolCallMessage; result: unknown }[] = [];
  const results = new Map<string, unknown>();
  let left = 0; // calls before the run do not count
  for (let i = steps.length - 1; i >= 0 && left < count; i -= 1) left += steps[i]!.tool_calls;
  left = Math.min(left, count);
  for (let i = session.messages.length - 1; i >= 0 && left > 0; i -= 1) {
    const message = session.messages[i]!;
    if (isType(message, "tool_result")) results.set(message.id, message.output);
    if (!isType(message, "tool_call")) continue;
    calls.push({ call: message, result: results.get(message.id) });
    left -= 1;
  }
  return calls;
}

/** Equal for calls with the same name and arguments, regardless of key order. */
function fingerprint({ name, input, raw_input }: ToolCallMessage, result?: unknown): string {
  return canonical([name, input ?? raw_input, result]);
}
