// Whatever breaks around the tools of a batch, what they did is told as they did it. Plugs into `execute` and `settle`.

import type { Executed, Ports, SettleVerdict } from "../../core/ports.ts";
import { madeUpResult } from "../../core/session.ts";
import type { LoopError } from "../../../schemas/types.ts";

/**
 * Results that came are kept when something beside the tools throws; the run ends with error kind `internal`. A call that was
 * not executed says so, one that was running says that it may have had effects.
 * @see TOOL-16 SESSION-8
 */
export function keepResults(execute: Ports["execute"]): Ports["execute"] {
  return async (calls, run, state) => {
    const known = new Map<string, Executed>();
    try {
      return await execute(
        calls,
        async (call) => {
          known.set(call.id, { result: madeUpResult(call, "interrupted", MAY_HAVE_RUN) });
          const executed = await run(call);
          known.set(call.id, executed);
          return executed;
        },
        state,
      );
    } catch (error) {
      const broken: LoopError = { kind: "internal", message: String(error) };
      return calls.map((call) => ({
        ...(known.get(call.id) ?? { result: madeUpResult(call, "interrupted", NOT_STARTED) }),
        broken,
      }));
    }
  };
}

/** The run ends with the batch in which something broke. */
export function endBroken([first]: Executed[]): SettleVerdict {
  return first?.broken ? { ending: { status: "error", error: first.broken } } : {};
}

const MAY_HAVE_RUN =
  "The run broke off while this tool was running, and its result is lost. It may have had effects: look before you repeat the call.";
const NOT_STARTED = "The run broke off before this call was executed. Nothing was executed; the call can be repeated.";
