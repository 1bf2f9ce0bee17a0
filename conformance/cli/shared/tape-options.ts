// What `replay` and `serve` read of their command lines alike.

import { faultOf } from "../../traffic/fixture/fault.ts";
import type { Fault } from "../../traffic/fixture/fault.ts";
import { UsageError } from "../../kit/base/usage-error.ts";

/** The faults that were asked for. @throws UsageError for one that makes no sense */
export function faultsOf(texts: readonly string[] = []): Fault[] {
  return texts.map((text) => {
    const fault = faultOf(text);
    if (typeof fault === "string") throw new UsageError(`--fault: ${fault}`);
    return fault;
  });
}
