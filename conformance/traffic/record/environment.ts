// The environment of a program whose model traffic goes through the local server, whatever its SDK calls the settings.

import { leadsToSecret, passwordIn } from "../fixture/secret-names.ts";
import { knownName, upstreamAt, type Upstream } from "./routes.ts";
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

/**
 * The upstreams, and the known hosts of which each customer or region has one, where a variable of the program names it:
 * `AZURE_OPENAI_ENDPOINT`, for example.
 */
export function withOwnHosts(upstreams: readonly Upstream[], own: NodeJS.ProcessEnv): Upstream[] {
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
