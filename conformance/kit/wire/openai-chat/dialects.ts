// Servers that speak the format of Chat Completions, and refuse what OpenAI's own API takes: whose a rule is, and as what such servers are recorded.

import type { RuleDescription } from "../codec.ts";

type Dialect = Required<Pick<RuleDescription, "dialect" | "upstreams">>;

/** What a rule of each dialect has beside its check. */
export const dialects = {
  deepseek: { dialect: "DeepSeek, while it thinks", upstreams: ["deepseek"] },
  moonshot: { dialect: "Moonshot", upstreams: ["moonshot", "kimi"] },
} as const satisfies Record<string, Dialect>;
