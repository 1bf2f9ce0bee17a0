// Reads the options `--upstream name=url`.

import { otherUpstreams, providerUpstreams, upstreamOf } from "../../traffic/record/routes.ts";
import type { Upstream } from "../../traffic/record/routes.ts";
import { UsageError } from "../../kit/base/usage-error.ts";

/**
 * The providers' hosts and the known ones of others, where no other address was given for them, and those that were named.
 * @throws UsageError for one that makes no sense
 */
export function namedUpstreams(texts: readonly string[] = []): Upstream[] {
  const named = texts.map((text) => {
    const upstream = upstreamOf(text);
    if (typeof upstream === "string") throw new UsageError(upstream);
    return upstream;
  });
  const known = [...providerUpstreams, ...otherUpstreams];
  const own = known.filter(({ name }) => named.every((upstream) => upstream.name !== name));
  return [...own, ...named];
}
