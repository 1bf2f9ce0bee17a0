// The faults of the small agent program: each breaks one requirement, which a probe has to name in one of the scenarios that are listed.

import type { ProviderName } from "../../kit/wire/codec.ts";

/** A fault of `small-agent.mjs`. */
export interface PlantedFault {
  fault: string;
  requirement: string;
  /** The scenario that shows it. */
  scenario: string;
  provider: ProviderName;
  /** No other scenario shows it: this is what the scenario is for. */
  alone: boolean;
}

function planted(
  fault: string,
  requirement: string,
  scenario: string,
  provider: ProviderName = "anthropic-messages",
): PlantedFault {
  return { fault, requirement, scenario, provider, alone: false };
}

/** A fault that only one scenario shows. */
function alone(...of: Parameters<typeof planted>): PlantedFault {
  return { ...planted(...of), alone: true };
}

/** Every fault that the small agent program knows. */
export const plantedFaults: readonly PlantedFault[] = [
  planted("forgets-history", "SESSION-1", "turns/second"),
  planted("silent-failure", "LOOP-18", "cut/context-window"),
  planted("drops-thinking", "PROVIDER-7", "ending/empty-after-tools"),
  planted("makes-up-signature", "PROVIDER-20", "ending/thinking"),
  planted("sends-raw-arguments", "ANTHROPIC-10", "cut/broken-arguments"),
  alone("mends-arguments", "TOOL-3", "cut/broken-arguments"),
  alone("mixes-calls", "PROVIDER-15", "tools/interleaved", "openai-chat"),
  alone("rounds-numbers", "PROVIDER-35", "tools/big-number"),
  alone("leaks-key", "PROVIDER-27", "secrets/key-repeated"),
  alone("leaks-others-key", "PROVIDER-45", "secrets/key-of-somebody"),
  alone("ignores-retry-after", "RETRY-2", "network/rate-limit"),
  alone("takes-anything", "PROVIDER-24", "network/html"),
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
  alone("ends-paused", "LOOP-30", "ending/pause"),
  alone("repeats-empty", "LOOP-21", "ending/empty"),
  alone("executes-refused", "LOOP-15", "refusal/beside-call"),
  alone("asks-after-refusal", "LOOP-16", "refusal/text"),
  planted("executes-cut", "LOOP-9", "cut/whole-call"),
  alone("executes-stopped", "LOOP-13", "ending/stop-sequence"),
  alone("executes-other", "LOOP-17", "ending/unknown-reason"),
  planted("ignores-unknown", "SESSION-6", "tools/beside-unknown"),
  planted("first-failure-ends-batch", "TOOL-11", "tools/one-fails"),
  alone("rewrites-history", "LOOP-1", "ending/for-ever"),
  alone("drops-thinking", "PROVIDER-7", "ending/thinking", "openai-responses"),
  alone("executes-cut-arguments", "LOOP-9", "cut/arguments"),
  alone("hides-400", "LOOP-18", "cut/context-window"),
  alone("executes-window", "LOOP-9", "cut/context-window-in-answer"),
  alone("takes-half-a-text", "LOOP-12", "cut/text"),
  alone("executes-limit", "LOOP-9", "cut/whole-call"),
  alone("keeps-empty-message", "PROVIDER-11", "ending/empty-after-tools"),
  alone("answers-no-calls", "PROVIDER-11", "ending/no-calls"),
  alone("forgets-at-SIGINT-model", "SESSION-1", "interrupt/sigint-model"),
  alone("forgets-at-SIGINT-tool", "SESSION-1", "interrupt/sigint-tool"),
  alone("saves-late", "SESSION-1", "interrupt/sigkill-model"),
  alone("leaves-open-when-killed", "SESSION-6", "interrupt/sigkill-tool"),
  alone("forgets-at-SIGTERM-model", "SESSION-1", "interrupt/sigterm-model"),
  alone("forgets-at-SIGTERM-tool", "SESSION-1", "interrupt/sigterm-tool"),
  alone("hides-401", "LOOP-18", "network/authentication"),
  alone("executes-unended", "LOOP-19", "network/call-before-end"),
  alone("ignores-error-event", "PROVIDER-23", "network/error-in-stream"),
  alone("accepts-unended", "PROVIDER-22", "network/lost-before-end"),
  alone("executes-half-a-call", "LOOP-19", "network/lost-in-call"),
  alone("accepts-half-a-text", "LOOP-18", "network/lost-in-text"),
  alone("takes-error-body", "PROVIDER-24", "network/ok-with-error"),
  alone("hides-529", "LOOP-18", "network/overloaded"),
  alone("runs-again-after-overload", "TOOL-12", "network/overloaded-after-tools"),
  alone("hides-rate-limit", "LOOP-18", "network/rate-limit-without-time"),
  alone("hides-reset", "LOOP-18", "network/reset"),
  alone("hides-500", "LOOP-18", "network/server-error"),
  alone("loses-binary", "SESSION-6", "results/binary"),
  alone("loses-empty", "SESSION-6", "results/empty"),
  alone("loses-huge", "SESSION-6", "results/huge"),
  alone("breaks-bad-letters", "PROVIDER-12", "results/not-utf8"),
  alone("unknown-ends-batch", "TOOL-11", "tools/beside-unknown"),
  alone("ignores-extra-argument", "SESSION-6", "tools/extra-argument"),
  alone("dies-of-failure", "TOOL-14", "tools/failing"),
  alone("runs-with-missing", "TOOL-5", "tools/missing-argument"),
  alone("runs-again-at-the-end", "TOOL-12", "tools/once"),
  alone("loses-beside-failure", "TOOL-16", "tools/one-fails"),
  alone("talks-between-results", "SESSION-6", "tools/together"),
  alone("keeps-repeated-ids", "SESSION-9", "tools/repeated-ids"),
  alone("keeps-later-ids", "SESSION-9", "tools/same-id-later"),
  alone("dies-of-unknown-alone", "TOOL-9", "tools/unknown"),
  alone("runs-with-wrong", "TOOL-5", "tools/wrong-argument"),
  alone("forgets-after-failure", "SESSION-1", "turns/after-failure"),
  alone("forgets-text-beside-calls", "SESSION-1", "turns/second"),
  alone("keeps-one-turn", "SESSION-1", "turns/third"),
  planted("leaves-open", "SESSION-6", "interrupt/sigkill-tool"),
];
