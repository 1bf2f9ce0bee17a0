// What `test` does with --relay: puts the second driver beside the first, and refuses what has no meaning for two.

import { findDriver } from "../../kit/index.ts";
import type { NamedDriver } from "../../kit/index.ts";
import { relayOf } from "../../kit/relay/relay.ts";
import type { Relay } from "../../kit/relay/relay.ts";
import { UsageError } from "../../kit/base/usage-error.ts";

/** The options of `test` that matter to a relay. */
export interface RelayOptions {
  relay?: string;
  knownFailures?: string;
  updateKnownFailures?: boolean;
  probe?: boolean;
}

/**
 * The relay of a driver and the one that `--relay` names; undefined where it names none.
 * @throws UsageError, UnknownDriverError
 */
export function relayWith(driver: NamedDriver, options: RelayOptions): Relay | undefined {
  if (options.relay === undefined) return undefined;
  const alone = [
    options.knownFailures === undefined ? "" : "--known-failures",
    options.updateKnownFailures ? "--update-known-failures" : "",
    options.probe ? "--probe" : "",
  ].find((name) => name !== "");
  if (alone !== undefined)
    throw new UsageError(`${alone} is about one driver, and --relay makes one run of two; leave one of them out`);
  return relayOf(driver, findDriver(options.relay));
}
