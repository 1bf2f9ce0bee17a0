// The hosts of the providers, and those of others that take their formats: one may take several.

import type { Dialect, Host, OtherHost, RuleBreach } from "./codec.ts";
import { codecs } from "./codecs.ts";

/** A host, and what follows its address in the base URL that official SDKs take. */
export interface KnownHost extends Host {
  readonly basePath: string;
}

const known = Object.values(codecs).map(({ traffic, basePath }): KnownHost => ({ ...traffic.host, basePath }));

/** Each once. */
export const hosts: readonly KnownHost[] = known.filter(
  ({ name }, at) => known.findIndex((host) => host.name === name) === at,
);

const dialects = Object.values(codecs).flatMap(({ traffic }) => traffic.dialects ?? []);

/** Those of others, each once. */
export const otherHosts: readonly OtherHost[] = [...new Set(dialects.map(({ at }) => at))];

/** The one of another that an address is of, if it is known: `host` is a name, with a port if that is not the usual one. */
export function otherHostAt(host: string): OtherHost | undefined {
  return otherHosts.find((one) => one.host.test(host));
}

/** How the host of a request takes the format of its provider: known by the name of the host, or by the path that it alone has. */
export function dialectOf(provider: string, upstream: string | undefined, path: string): Dialect | undefined {
  const [bare = ""] = path.split("?", 1);
  const known = Object.values(codecs).find((codec) => codec.provider === provider)?.traffic.dialects ?? [];
  return (
    known.find(({ at }) => at.name === upstream) ??
    known.find(({ routes = [] }) => routes.some((one) => one.test(bare)))
  );
}

/** What of a request tells its host. */
export interface Addressed {
  readonly provider: string;
  /** The name of the host. Absent: not known. */
  readonly upstream?: string | undefined;
  readonly path: string;
}

/** Whether a rule is one of the host of a request: those of a dialect belong to its hosts, and not every rule of a provider is one of other hosts. */
export function isRuleOf(
  { provider, upstream, path }: Addressed,
  { rule, dialect, upstreams = [] }: Pick<RuleBreach, "rule" | "dialect" | "upstreams">,
): boolean {
  const { withoutRules = [] } = dialectOf(provider, upstream, path) ?? {};
  if (withoutRules.some((name) => rule === `${provider}/${name}`)) return false;
  return !dialect || upstreams.some((name) => upstream?.includes(name));
}

/** The host of a provider, by its name; OpenAI's, whose format most others share, where it is none of the known. */
export function hostOf(provider: string | undefined): Host {
  const codec = Object.values(codecs).find((one) => one.provider === provider) ?? codecs["openai-chat"];
  return codec.traffic.host;
}
