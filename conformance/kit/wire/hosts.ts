// The hosts of the providers: one may take several formats.

import type { Host } from "./codec.ts";
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

/** The host of a provider, by its name; OpenAI's, whose format most others share, where it is none of the known. */
export function hostOf(provider: string | undefined): Host {
  const codec = Object.values(codecs).find((one) => one.provider === provider) ?? codecs["openai-chat"];
  return codec.traffic.host;
}
