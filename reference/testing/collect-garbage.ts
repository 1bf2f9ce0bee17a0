// Which objects are still held, once everything that nobody needs is gone.

import { setImmediate as macrotask } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** How many of these are still held by somebody, though there was time to let them go. */
export async function stillHeld(objects: readonly WeakRef<object>[]): Promise<number> {
  let held = objects.length;
  for (let turn = 0; turn < 40 && held > 0; turn += 1) {
    await macrotask(); // what was looked at lives until the turn is over
    collect();
    held = objects.filter((object) => object.deref() !== undefined).length;
  }
  return held;
}

/** Notes the signals that are made of others from now on. One that somebody listens to lives as long as what it was made of. */
export function combinations(): { combined: WeakRef<AbortSignal>[]; restore(): void } {
  const combined: WeakRef<AbortSignal>[] = [];
  const { any } = AbortSignal;
  AbortSignal.any = (signals) => {
    const signal = any.call(AbortSignal, signals);
    combined.push(new WeakRef(signal));
    return signal;
  };
  return { combined, restore: () => void (AbortSignal.any = any) };
}
