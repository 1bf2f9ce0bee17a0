// The environment of a program whose model traffic goes through the local server, whatever its SDK calls the settings.

import { leadsToSecret, passwordIn } from "../fixture/secret-names.ts";
import { knownName, providerUpstreams, upstreamAt, type Upstream } from "./routes.ts";
import { hosts, otherHosts, type KnownHost } from "../../kit/wire/hosts.ts";

/** A key that opens nothing. */
export const dummyKey = "agent-loop-replay";

/** How the names of variables end that say where a service is. */
const address =
  /(?:^|_)(?:(?:API_)?BASE(?:_UR[LI])?|API_UR[LI]|(?:API_)?ENDPOINT(?:_UR[LI])?(?:_[A-Z_]+)?|API_HOST|OLLAMA_HOST)$/i;

/** The base URL of an upstream on the local server, as its own clients take it. */
export function baseUrlOf(origin: string, { name, basePath = hostNamed(name)?.basePath ?? "" }: Upstream): string {
  return `${origin}/${name}${basePath}`;
}

/** The provider's own host, where a variable of the program leads its clients to another: a gateway, for example. */
export interface Elsewhere {
  upstream: Upstream;
  variable: string;
}

/**
 * The providers whose clients a variable of the program leads to a host that nobody knows: what they ask, and their key, is for that
 * host. One that was named otherwise is not among them.
 */
export function ledElsewhere(upstreams: readonly Upstream[], own: NodeJS.ProcessEnv): Elsewhere[] {
  return upstreams.flatMap((upstream): Elsewhere[] => {
    if (!providerUpstreams.includes(upstream)) return [];
    const { addressVariables = [], basePath = "" } = hostNamed(upstream.name) ?? {};
    const variable = addressVariables.find((name) => isElsewhere(own[name], upstreams));
    if (variable === undefined) return [];
    const place = own[variable]!.replace(/\/+$/, "");
    const isWhole = basePath !== "" && place.endsWith(basePath);
    const there = isWhole ? { url: place.slice(0, -basePath.length) } : { url: place, basePath: "" };
    return [{ upstream: { name: upstream.name, ...there }, variable }];
  });
}

function isElsewhere(address: string | undefined, upstreams: readonly Upstream[]): boolean {
  if (address === undefined || !/^https?:/.test(address) || !URL.canParse(address)) return false;
  return upstreamAt(address, upstreams) === undefined && knownName(new URL(address).host) === undefined;
}

/**
 * The upstreams where the variables of the program lead: its providers elsewhere, and the known hosts of which each customer or region has
 * one, such as `AZURE_OPENAI_ENDPOINT`.
 */
export function withOwnHosts(given: readonly Upstream[], own: NodeJS.ProcessEnv): Upstream[] {
  const elsewhere = new Map(ledElsewhere(given, own).map(({ upstream }) => [upstream.name, upstream]));
  const upstreams = given.map((upstream) => elsewhere.get(upstream.name) ?? upstream);
  const named = Object.entries(own).flatMap(([variable, value = ""]): Upstream[] => {
    if (!address.test(variable) || !URL.canParse(value)) return [];
    const { origin, host } = new URL(value);
    const name = knownName(host);
    return name === undefined || upstreams.some((one) => one.name === name) ? [] : [{ name, url: origin }];
  });
  const firsts = named.filter(({ name }, at) => named.findIndex((one) => one.name === name) === at);
  return [...upstreams, ...firsts];
}

/** The variables of a program that lead to an upstream, whatever they are called: `OPENAI_BASE_URL` may lead to another host than OpenAI's. */
export function ledToUpstreams(
  origin: string,
  upstreams: readonly Upstream[],
  own: NodeJS.ProcessEnv,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([variable, value = ""]) => {
      const place = address.test(variable) ? upstreamAt(value, upstreams) : undefined;
      return place ? [[variable, `${origin}/${place.upstream.name}${place.rest}`]] : [];
    }),
  );
}

/** The variables that point a program's SDKs at the local server; an upstream `groq` is `GROQ_BASE_URL` too. */
export function baseUrlVariables(origin: string, upstreams: readonly Upstream[]): Record<string, string> {
  return Object.fromEntries(
    upstreams.flatMap((upstream) => {
      const names = hostNamed(upstream.name)?.addressVariables ?? [`${variableOf(upstream.name)}_BASE_URL`];
      return names.map((name) => [name, baseUrlOf(origin, upstream)]);
    }),
  );
}

/**
 * The environment in which a program cannot reach a model provider by accident: every base URL is the local server's, keys are
 * dummies, credentials and addresses of others are gone, and proxies lead to `nowhere`, where they are refused.
 * @param kept names of variables that the program has all the same
 * @see REPLAY-8
 */
export function offlineEnvironment(
  own: NodeJS.ProcessEnv,
  origin: string,
  upstreams: readonly Upstream[],
  nowhere: string,
  kept: readonly string[] = [],
): NodeJS.ProcessEnv {
  const harmless = Object.entries(own).filter(([name, value]) => kept.includes(name) || isHarmless(name, value));
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  const local = "127.0.0.1,localhost,::1";
  const names = [
    ...hosts.flatMap(({ keyVariables }) => keyVariables),
    ...upstreams.map(({ name }) => `${variableOf(name)}_API_KEY`),
  ];
  return {
    ...Object.fromEntries(harmless),
    ...Object.fromEntries(names.filter((name) => !kept.includes(name)).map((name) => [name, dummyKey])),
    ...Object.fromEntries(proxies.map((name) => [name, nowhere])),
    NO_PROXY: local,
    no_proxy: local,
    NODE_USE_ENV_PROXY: "1",
    ...baseUrlVariables(origin, upstreams),
  };
}

/** No credential, nothing that leads to one, and no address of a service. A path is none, and telemetry is no provider. */
function isHarmless(name: string, value = ""): boolean {
  if (leadsToSecret(name) || passwordIn(value) !== "") return false;
  return !address.test(name) || value.startsWith("/") || name.startsWith("OTEL_");
}

function hostNamed(name: string): KnownHost | undefined {
  return [...hosts, ...otherHosts].find((host) => host.name === name);
}

function variableOf(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}
