// Waits for a run by turns of the event loop: time would say more of the machine than of the run.

import { agentLoop } from "../../../reference/index.ts";
import { validateInput } from "../../../reference/tools/validate-input.ts";
import { isAnythingBeside } from "../../drivers/reference/beside.ts";

/** What the promise gives within so many turns, not counting those in which a digest is made on another thread. */
export async function within<T>(turns: number, promise: Promise<T>): Promise<T | undefined> {
  let settled = false;
  promise.finally(() => (settled = true)).catch(() => undefined);
  for (let turn = 0; turn < turns && !settled; turn += isAnythingBeside() ? 0 : 1)
    await new Promise((resolve) => setImmediate(resolve));
  return settled ? promise : undefined;
}

/** Loads what the first run loads, which takes as many turns as the disk has to be waited for. */
export async function warmUp(): Promise<void> {
  await validateInput({}, {});
  const provider = { name: "none", invokeModel: async () => ({ messages: [], stop_reason: "end_turn" as const }) };
  await agentLoop({ provider, input: "Go." }).result;
}
