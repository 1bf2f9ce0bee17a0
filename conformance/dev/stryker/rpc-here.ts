// Stands in for the driver's JSON-RPC over stdin and stdout where the driver runs in the kit's own process.

import { AsyncLocalStorage } from "node:async_hooks";
import type { DriverMethods, Kit, MakeDriver } from "../../kit/index.ts";

export { KitError as RpcError } from "../../kit/index.ts";

/** Which kit a run was begun by: what one left behind when it gave up must not speak to the next. */
const currentKit = new AsyncLocalStorage<Kit>();
let methods: Record<string, (params: never) => unknown> = {};

/** What the driver calls when it is loaded. */
export function serve(handlers: typeof methods): Kit {
  methods = handlers;
  return {
    request: (...question) => currentKit.getStore()!.request(...question),
    notify: (...news) => currentKit.getStore()!.notify(...news),
  };
}

/** The driver that was loaded. It has no process that `shutdown` could end. */
export const loadedDriver: MakeDriver = (kit) => {
  const { shutdown: _, ...kept } = methods;
  const called = Object.entries(kept).map(([name, method]) => [
    name,
    (params: never) => currentKit.run(kit, () => method(params)),
  ]);
  return Object.fromEntries(called) as DriverMethods;
};
