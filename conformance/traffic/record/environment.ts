// The environment of a program whose model traffic goes through the local server, whatever its SDK calls the settings.

import type { Upstream } from "./routes.ts";

/** The names under which SDKs and tools look for a base URL, and what follows the host in it. */
const baseUrls: Record<string, { path: string; variables: readonly string[] }> = {
  anthropic: { path: "", variables: ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"] },
  openai: { path: "/v1", variables: ["OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_BASE_URL", "OPENAI_API_URL"] },
};

/** Keys without which SDKs refuse to start. */
const keys: readonly string[] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"];

/** A key that opens nothing. */
export const dummyKey = "agent-loop-replay";

/** Names that hold a secret of some vendor: a program that must not go online does not get them. */
const secret = /(_API_KEY|_AUTH_TOKEN|_ACCESS_TOKEN|_SECRET_KEY|_API_TOKEN)$/;

/** The base URL of an upstream on the local server, as the official SDK takes it. */
export function baseUrlOf(origin: string, { name }: Upstream): string {
  return `${origin}/${name}${baseUrls[name]?.path ?? ""}`;
}

/** The variables that point a program's SDKs at the local server; an upstream `groq` is `GROQ_BASE_URL` too. */
export function baseUrlVariables(origin: string, upstreams: readonly Upstream[]): Record<string, string> {
  return Object.fromEntries(
    upstreams.flatMap((upstream) => {
      const names = baseUrls[upstream.name]?.variables ?? [
        `${upstream.name.toUpperCase().replaceAll("-", "_")}_BASE_URL`,
      ];
      return names.map((name) => [name, baseUrlOf(origin, upstream)]);
    }),
  );
}

/**
 * The environment in which a program cannot reach a model provider by accident: every base URL is the local server's, keys are
 * dummies, those of other vendors are gone, and proxies lead to `nowhere`, where they are refused.
 * @see REPLAY-8
 */
export function offlineEnvironment(
  own: NodeJS.ProcessEnv,
  origin: string,
  upstreams: readonly Upstream[],
  nowhere: string,
): NodeJS.ProcessEnv {
  const kept = Object.entries(own).filter(([name]) => !secret.test(name));
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  const local = "127.0.0.1,localhost,::1";
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(keys.map((name) => [name, dummyKey])),
    ...Object.fromEntries(proxies.map((name) => [name, nowhere])),
    NO_PROXY: local,
    no_proxy: local,
    NODE_USE_ENV_PROXY: "1",
    ...baseUrlVariables(origin, upstreams),
  };
}
