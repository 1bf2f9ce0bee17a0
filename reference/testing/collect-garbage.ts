// Which objects are still reachable after a garbage collection.

import { setImmediate as macrotask } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects all that nothing holds at this moment. */
export function collectGarbage(): void {
  collect();
}

/** How many of these objects are still reachable after repeated collection. */
export async function stillHeld(objects: readonly WeakRef<object>[]): Promise<number> {
  let held = objects.length;
  for (let turn = 0; turn < 40 && held > 0; turn += 1) {
    await macrotask(); // a dereferenced object stays alive until the end of the task
    collect();
    held = objects.filter((object) => object.deref() !== undefined).length;
  }
  return held;
}

/** Records the signals that `AbortSignal.any` returns from now on. One with listeners lives as long as its sources. */
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
