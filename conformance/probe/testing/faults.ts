// The faults of the small agent program: each breaks one requirement, which a probe has to name in one of the scenarios that are listed.

import type { ProviderName } from "../../kit/wire/codec.ts";

/** A fault of `small-agent.mjs`. */
export interface PlantedFault {
  fault: string;
  requirement: string;
  /** The scenario that shows it. */
  scenario: string;
  provider: ProviderName;
}

function planted(
  fault: string,
  requirement: string,
  scenario: string,
  provider: ProviderName = "anthropic-messages",
): PlantedFault {
  return { fault, requirement, scenario, provider };
}

/** Every fault that the small agent program knows. */
export const plantedFaults: readonly PlantedFault[] = [
  planted("forgets-history", "SESSION-1", "turns/second"),
  planted("silent-failure", "LOOP-18", "cut/context-window"),
  planted("drops-thinking", "PROVIDER-7", "ending/empty-after-tools"),
  planted("makes-up-signature", "PROVIDER-20", "ending/thinking"),
  planted("sends-raw-arguments", "ANTHROPIC-10", "cut/broken-arguments"),
  planted("mends-arguments", "TOOL-3", "cut/broken-arguments"),
  planted("mixes-calls", "PROVIDER-15", "tools/interleaved", "openai-chat"),
  planted("rounds-numbers", "PROVIDER-35", "tools/big-number"),
  planted("leaks-key", "PROVIDER-27", "secrets/key-repeated"),
  planted("leaks-others-key", "PROVIDER-45", "secrets/key-of-somebody"),
  planted("ignores-retry-after", "RETRY-2", "network/rate-limit"),
  planted("takes-anything", "PROVIDER-24", "network/html"),
  planted("executes-lost", "LOOP-19", "network/lost-in-call"),
  planted("accepts-lost", "PROVIDER-22", "network/lost-before-end"),
  planted("keeps-half", "SESSION-13", "network/lost-before-end"),
  planted("gives-up-silently", "LOOP-18", "network/overloaded"),
  planted("never-ends", "LOOP-27", "network/server-error"),
  planted("dies-of-unknown", "TOOL-9", "tools/unknown"),
  planted("no-validation", "TOOL-5", "tools/missing-argument"),
  planted("executes-twice", "TOOL-12", "tools/once"),
  planted("sends-lone-surrogate", "PROVIDER-12", "results/not-utf8"),
  planted("throws-away", "TOOL-14", "tools/failing"),
  planted("keeps-ids", "SESSION-9", "tools/same-id-later"),
  planted("drops-second", "TOOL-16", "tools/one-fails"),
  planted("ends-paused", "LOOP-30", "ending/pause"),
  planted("repeats-empty", "LOOP-21", "ending/empty"),
  planted("executes-refused", "LOOP-15", "refusal/beside-call"),
  planted("asks-after-refusal", "LOOP-16", "refusal/text"),
  planted("executes-cut", "LOOP-9", "cut/whole-call"),
  planted("executes-stopped", "LOOP-13", "ending/stop-sequence"),
  planted("executes-other", "LOOP-17", "ending/unknown-reason"),
  planted("ignores-unknown", "SESSION-6", "tools/beside-unknown"),
  planted("first-failure-ends-batch", "TOOL-11", "tools/one-fails"),
  planted("reverses-results", "SESSION-7", "tools/order"),
  planted("rewrites-history", "LOOP-1", "ending/for-ever"),
  planted("leaves-open", "SESSION-6", "interrupt/sigkill-tool"),
];
