// Which requirements have no occasion at a provider, because it takes what they forbid for the sake of others.

import type { ProviderCodec } from "./codec.ts";

/** Why requests to a provider show nothing of a requirement: it takes what is forbidden. Undefined where it may not. @see KIT-23 */
export function whyTaken(
  requirement: string,
  { provider, leeway }: Pick<ProviderCodec, "provider" | "leeway">,
): string | undefined {
  const isTaken = requirement === "PROVIDER-12" && leeway.takesHalfLetters;
  return isTaken ? `${provider} takes half of a surrogate pair` : undefined;
}
