// Says whether a variant of a filled case can be expressed at all, by any driver.

import type { ProviderCodec } from "../wire/codec.ts";
import { sayable } from "./declared-names.ts";
import type { FilledCase } from "./fill-case.ts";
import { toolsOf } from "./case-agents.ts";
import { readScript } from "./script.ts";
import { canExpress } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** `true`, or why the case cannot be said on the variant. */
export function isExpressible(
  { case: filled }: FilledCase,
  variant: Variant,
  codec: ProviderCodec | undefined,
): true | string {
  const transport = variant.seam === "generic" ? undefined : variant.transport;
  const script = readScript(filled, "plan", transport).map((step) => sayable(step, toolsOf(filled.given)));
  return canExpress(variant, script, codec, filled.given.conversation);
}
