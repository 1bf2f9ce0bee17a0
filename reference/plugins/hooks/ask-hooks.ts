// Calls the hooks of a point: which ones, in which order, with which timeout, and what follows from a failure.

import type { Clock } from "../../support/clock.ts";
import type { Ports } from "../../core/ports.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import type { HookCall, HookPoint, HookReply } from "../../../schemas/types.ts";
import { wellFormed } from "../../support/well-formed.ts";
import { fits } from "../../support/wildcard.ts";
import type { Ask } from "../plugin.ts";
import type { AnyHook } from "./hook-types.ts";
import { clone } from "../../support/clone.ts";

export interface Asking {
  hooks: AnyHook[];
  clock: Clock;
  /** In milliseconds, or null. */
  timeoutMs: number | null;
  signal: AbortSignal;
  emit: Ports["emit"];
}

/** The fields of a reply that are used at each point. Other fields are ignored. */
const USES: Record<HookPoint, (keyof HookReply)[]> = {
  run_start: [],
  user_input: ["block", "add_context"],
  turn_start: [],
  before_model: ["block", "add_context"],
  after_model: ["block"],
  before_tool: ["block", "skip", "input", "output"],
  after_tool: ["output", "add_context"],
  tool_failure: ["output", "add_context"],
  turn_end: [],
  before_compaction: ["block"],
  after_compaction: [],
  stop: ["block"],
  run_end: [],
};

/** Points at which a failing hook blocks. @see HOOK-14 */
const CLOSED_ON_FAILURE: HookPoint[] = ["user_input", "before_model", "after_model", "before_tool"];

/** Points that are skipped once the run is cancelled: there is nothing left to permit. @see HOOK-26 HOOK-43 */
const OF_A_RUN_THAT_GOES_ON: HookPoint[] = [...CLOSED_ON_FAILURE, "stop"];

/** @see HOOK-1 HOOK-2 HOOK-3 HOOK-4 HOOK-15 HOOK-27 */
export function askHooks({ hooks, clock, timeoutMs, signal, emit }: Asking): Ask {
  return async (call) => {
    let joined: HookReply = {};
    const contexts: string[] = [];
    for (const hook of hooks) {
      if (!isFor(hook, call)) continue;
      if (signal.aborted && OF_A_RUN_THAT_GOES_ON.includes(call.point)) break;
      const reply = wellFormed(useful(call.point, await askOne(hook, changed(call, joined)))); // [SESSION-33]
      const { add_context, ...rest } = reply;
      if (add_context !== undefined) contexts.push(add_context);
      joined = { ...joined, ...rest };
      const isOver = reply.block !== undefined || reply.skip === true;
      if (isOver || (call.point === "before_tool" && reply.output !== undefined)) break;
    }
    return { ...joined, ...(contexts.length > 0 && { contexts }) };
  };

  async function askOne(hook: AnyHook, call: HookCall): Promise<HookReply> {
    const over = new AbortController();
    const late = timeoutMs === null ? [] : [clock.sleep(timeoutMs, over.signal).then(() => expire(timeoutMs))];
    try {
      // A copy: a hook changes something only by its reply.
      const answer = (async () => (await hook.run(clone(call), over.signal)) ?? {})();
      return await raceAbort(Promise.race([answer, ...late]), signal, () => ({}));
    } catch (error) {
      const message = `A hook of ${call.point} failed: ${error instanceof Error ? error.message : String(error)}`;
      if (CLOSED_ON_FAILURE.includes(call.point)) return { block: message };
      emit({ type: "warning", turn: call.turn, code: "hook_failed", message });
      return {};
    } finally {
      over.abort(ASKED);
    }
  }
}

/** @see HOOK-2 */
function isFor({ point, tool }: AnyHook, { point: current, call }: HookCall): boolean {
  return point === current && (tool === undefined || (call !== undefined && fits(tool, call.name)));
}

function useful(point: HookPoint, reply: HookReply): HookReply {
  const used = USES[point].filter((key) => reply[key] !== undefined);
  // An output is an error only if the hook that wrote it says so; is_error of an earlier output does not carry over.
  const { is_error = false } = reply;
  return { ...Object.fromEntries(used.map((key) => [key, reply[key]])), ...(used.includes("output") && { is_error }) };
}

/** A constant reason: the default one is a new error each time, with a stack trace. */
const ASKED = "asked";

function expire(timeoutMs: number): never {
  throw new Error(`it did not answer within ${timeoutMs} ms`);
}

function changed(call: HookCall, { input, output }: HookReply): HookCall {
  return {
    ...call,
    ...(input && call.call && { call: { ...call.call, input } }),
    ...(output !== undefined && { output }),
  };
}
