// Which host a request to the local server is meant for, and which provider's format it speaks.

import type { ProviderName, ProviderTraffic } from "../../kit/wire/codec.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { hosts, otherHostAt, otherHosts } from "../../kit/wire/hosts.ts";

/** A host that requests are forwarded to, under a name that is the first part of their path. */
export interface Upstream {
  /** Lower-case letters, digits and `-`. */
  name: string;
  /** Where it is, without a slash at the end. */
  url: string;
  /** What follows its address in the base URL that clients take. Absent: what is known of a host of this name. */
  basePath?: string;
}

/** What a request to the local server means. */
export interface Route {
  upstream: Upstream;
  /** The path and query as the upstream knows them. */
  path: string;
  /** Whose format it is; absent for everything that is not a model call. */
  provider?: ProviderName;
}

/** The providers' own hosts. A program that asks another one is given its address with `--upstream name=url`. */
export const providerUpstreams: readonly Upstream[] = hosts.map(({ name, url }) => ({ name, url }));

/** Hosts of others that everybody finds at the same address. */
export const otherUpstreams: readonly Upstream[] = otherHosts
  .filter(({ isFixed }) => isFixed)
  .map(({ name, url }) => ({ name, url }));

/** What a host is called as an upstream, if it is a known one. */
export function knownName(host: string): string | undefined {
  return otherHostAt(host.toLowerCase())?.name;
}

/** The providers' hosts, where no other address is given for them, and those that are named: the URL by the name. */
export function upstreamsAt(urls: Readonly<Record<string, string>>): Upstream[] {
  const own = Object.fromEntries(providerUpstreams.map(({ name, url }) => [name, url]));
  return Object.entries({ ...own, ...urls }).map(([name, url]) => ({ name, url: url.replace(/\/+$/, "") }));
}

/** The provider whose model call this is, judged by its method and path. */
export function providerOf(method: string, path: string): ProviderName | undefined {
  if (method !== "POST") return undefined;
  const [bare = ""] = path.split("?", 1);
  return Object.values(codecs).find(({ traffic }) => routesOf(traffic).some((route) => route.test(bare)))?.provider;
}

function routesOf({ routes, dialects = [] }: ProviderTraffic): readonly RegExp[] {
  return [...routes, ...dialects.flatMap((dialect) => dialect.routes ?? [])];
}

/**
 * Where a request goes: `/openai/v1/responses` to the upstream `openai`, as `/v1/responses`.
 * @returns nothing if the path begins with no upstream's name
 */
export function routeOf(method: string, target: string, upstreams: readonly Upstream[]): Route | undefined {
  const [, name, path = ""] = /^\/([^/?]+)(.*)$/s.exec(target) ?? [];
  const upstream = upstreams.find((one) => one.name === name);
  if (!upstream) return undefined;
  const provider = providerOf(method, path);
  return { upstream, path: path.startsWith("/") ? path : `/${path}`, ...(provider && { provider }) };
}

/**
 * Where a request to an address goes: to the upstream whose address it begins with, the longest if there are several.
 * @returns nothing if it begins with no upstream's address
 */
export function routeOfUrl(method: string, url: string, upstreams: readonly Upstream[]): Route | undefined {
  const place = upstreamAt(url, upstreams);
  if (!place) return undefined;
  const { upstream, rest } = place;
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  const provider = providerOf(method, path);
  return { upstream, path, ...(provider && { provider }) };
}

/** The upstream of an address, the one with the longest if there are several, and what follows its own in it. */
export function upstreamAt(
  url: string,
  upstreams: readonly Upstream[],
): { upstream: Upstream; rest: string } | undefined {
  const [address = ""] = url.split("#", 1);
  const [upstream] = upstreams
    .filter((one) => one.url !== "" && address.startsWith(one.url) && /^[/?]|^$/.test(address.slice(one.url.length)))
    .toSorted((one, other) => other.url.length - one.url.length);
  return upstream && { upstream, rest: address.slice(upstream.url.length) };
}

/** A problem with `--upstream name=url`, in words for a person; nothing if it is fine. */
export function upstreamOf(text: string): Upstream | string {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  const url = text.slice(at + 1);
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
    return `expected --upstream name=url with a name of lower-case letters, digits and -, such as groq=https://api.groq.com/openai, got ${text}`;
  if (!URL.canParse(url) || !/^https?:/.test(url))
    return `expected an http or https address after ${name}=, got ${url === "" ? "nothing" : url}`;
  const place = url.replace(/\/+$/, "");
  // Who names the base URL of a known host means the same host.
  const { basePath = "" } = otherHosts.find((one) => one.name === name) ?? {};
  return { name, url: basePath !== "" && place.endsWith(basePath) ? place.slice(0, -basePath.length) : place };
}
