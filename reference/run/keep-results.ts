// Guarantees one result for each call of a batch, even if something around the tools throws.

import type { LoopError } from "../../schemas/types.ts";
import type { ExecutableCall, Executed, Ports, SettleVerdict } from "../core/ports.ts";
import { resultText, syntheticResult } from "../core/session.ts";

/**
 * Keeps the results so far if something other than a tool throws, or omits one; the run ends with error kind `internal`. The
 * synthetic result of any other call says whether it was executed.
 * @param earlier the results of calls in an earlier process
 * @see TOOL-16 SESSION-8
 */
export function keepResults(
  execute: Ports["execute"],
  earlier: ReadonlyMap<string, { executed: Executed }> = new Map(),
): Ports["execute"] {
  return async (calls, run, state) => {
    const started = new Map<string, Executed | undefined>(); // undefined: it has not ended
    const keep = (executed: Executed): Executed => {
      started.set(executed.result.id, executed);
      return executed;
    };
    try {
      const executed = await execute(
        calls,
        (call) => {
          started.set(call.id, undefined);
          return run(call).then(keep);
        },
        state,
      );
      const missing = calls.find((call, i) => executed[i]?.result.id !== call.id && !isAmong(executed, call));
      if (missing) throw new Error(missingText(missing));
      return executed;
    } catch (error) {
      const broken: LoopError = { kind: "internal", message: String(error) };
      return calls.map((call) => {
        const known = started.get(call.id) ?? earlier.get(call.id)?.executed;
        const situation = started.has(call.id) ? "broke_while_running" : "broke_before";
        return { ...(known ?? { result: syntheticResult(call, "interrupted", resultText(situation)) }), broken };
      });
    }
  };
}

/** Ends the run after the batch that broke. */
export function endBroken([first]: Executed[]): SettleVerdict {
  return first?.broken ? { ending: { status: "error", error: first.broken } } : {};
}

function isAmong(executed: Executed[], { id }: ExecutableCall): boolean {
  return executed.some(({ result }) => result.id === id);
}

function missingText({ id, name }: ExecutableCall): string {
  return `No result for the call ${id} of ${name}: a plug-in around the batch omitted it. Return one entry for each call.`;
}
