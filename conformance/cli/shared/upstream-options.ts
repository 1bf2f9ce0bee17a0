// Reads the options `--upstream name=url`, and where the variables of the program lead beside them.

import { ledElsewhere, withOwnHosts } from "../../traffic/record/environment.ts";
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

/**
 * The same, and the hosts to which the variables of the program lead. Of a host that nobody knows stderr has a line.
 * @throws UsageError for an option that makes no sense
 */
export function ownUpstreams(texts: readonly string[] | undefined): Upstream[] {
  const named = namedUpstreams(texts);
  for (const { upstream, variable } of ledElsewhere(named, process.env)) {
    const { host, pathname } = new URL(upstream.url);
    console.error(`${upstream.name} is at ${host}${pathname.replace(/\/$/, "")}, as ${variable} says`);
  }
  return withOwnHosts(named, process.env);
}
