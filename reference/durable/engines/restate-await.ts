// Awaits the promises of Restate at one place, for code that waits for several of them at once.

import { setImmediate } from "node:timers/promises";
import { RestatePromise } from "@restatedev/restate-sdk";

/**
 * The SDK takes one `await` at a time: with a second one beside it, the run fails in each attempt ("awaitNext already pending"). So one
 * place awaits whichever of its promises is settled first, and tells those who wait.
 */
export function oneAwait(): <T>(promise: RestatePromise<T>) => Promise<T> {
  const underWay = new Map<RestatePromise<void>, (error: unknown) => void>();
  let isAwaiting = false;
  async function awaitAll(): Promise<void> {
    isAwaiting = true;
    try {
      // What follows from one promise is added before the next one is awaited.
      while ((await setImmediate(), underWay.size > 0)) await RestatePromise.race([...underWay.keys()]);
    } catch (error) {
      underWay.forEach((reject) => reject(error));
      underWay.clear();
    }
    isAwaiting = false;
  }
  return (promise) =>
    new Promise((resolve, reject) => {
      const settled = promise.map((value, failure) => {
        underWay.delete(settled);
        return failure ? reject(failure) : resolve(value!);
      });
      underWay.set(settled, reject);
      if (!isAwaiting) void awaitAll();
    });
}
