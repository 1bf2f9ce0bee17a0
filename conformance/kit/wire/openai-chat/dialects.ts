// Servers that speak the format of Chat Completions: where they are, what they do otherwise, and what they refuse that OpenAI's own API takes.

import type { Dialect, RuleDescription } from "../codec.ts";
import {
  alibaba,
  azure,
  bedrock,
  cerebras,
  copilot,
  crusoe,
  deepseek,
  doubleword,
  groq,
  heroku,
  huggingface,
  litellm,
  llamaCpp,
  mistral,
  moonshot,
  ollama,
  openrouter,
  perplexity,
  portkey,
  snowflake,
  together,
  venice,
  vertex,
  vllm,
  xai,
  zai,
} from "../shared/other-hosts.ts";

type Whose = Required<Pick<RuleDescription, "dialect" | "upstreams">>;

/** Whose a rule is that only such servers have: what it has beside its check. */
export const whose = {
  moonshot: { dialect: "Moonshot", upstreams: ["moonshot", "kimi"] },
} as const satisfies Record<string, Whose>;

/** Whose the rule is that a field of an answer goes back: of all servers that refuse calls without it. */
export function whoWants(field: string): Whose {
  const wanting = dialects.flatMap(({ at, goesBack = [] }) => (goesBack.includes(field) ? [at] : []));
  const known: Record<string, Whose> = whose;
  return {
    dialect: wanting.map(({ title }) => title).join(" and "),
    upstreams: wanting.flatMap(({ name }) => known[name]?.upstreams ?? [name]),
  };
}

const on = "2026-11-23";
const later = "2026-11-24";

export const dialects: readonly Dialect[] = [
  {
    at: alibaba,
    path: "/compatible-mode/v1/chat/completions",
    docs: "https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope",
    on: later,
    recorded: true,
  },
  {
    at: azure,
    path: "/openai/deployments/gpt-4o/chat/completions",
    // The path has the name of a deployment, and the key is in a header of its own.
    routes: [/\/openai\/deployments\/[^/]+\/chat\/completions$/],
    withoutRules: ["authentication", "model"],
    docs: "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference",
    on,
    recorded: true,
  },
  {
    at: bedrock,
    path: "/openai/v1/chat/completions",
    docs: "https://docs.aws.amazon.com/bedrock/latest/userguide/apis.html",
    on,
    recorded: true,
  },
  {
    at: cerebras,
    path: "/v1/chat/completions",
    docs: "https://inference-docs.cerebras.ai/resources/openai",
    recorded: true,
  },
  { at: copilot, path: "/chat/completions", docs: "https://docs.github.com/en/copilot", recorded: true },
  { at: crusoe, path: "/v1/chat/completions", docs: "https://docs.crusoecloud.com/", recorded: true },
  {
    at: deepseek,
    path: "/chat/completions",
    goesBack: ["reasoning_content"],
    docs: "https://api-docs.deepseek.com/quick_start/your_first_api_call.md",
    on,
    recorded: true,
  },
  { at: doubleword, path: "/v1/chat/completions", docs: "https://docs.doubleword.ai/", recorded: true },
  { at: groq, path: "/openai/v1/chat/completions", docs: "https://console.groq.com/docs/openai", on, recorded: true },
  {
    at: heroku,
    path: "/v1/chat/completions",
    docs: "https://devcenter.heroku.com/articles/heroku-inference",
    recorded: true,
  },
  {
    at: huggingface,
    path: "/v1/chat/completions",
    docs: "https://huggingface.co/docs/inference-providers/",
    recorded: true,
  },
  { at: litellm, path: "/chat/completions", docs: "https://docs.litellm.ai/docs/simple_proxy", recorded: true },
  {
    at: llamaCpp,
    path: "/v1/chat/completions",
    docs: "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    recorded: true,
  },
  {
    at: mistral,
    path: "/v1/chat/completions",
    endings: { model_length: "max_tokens", error: "error" },
    docs: "https://docs.mistral.ai/api/",
    recorded: true,
  },
  {
    at: moonshot,
    path: "/v1/chat/completions",
    goesBack: ["reasoning_content"],
    docs: "https://platform.kimi.ai/docs/api/overview.md",
    on: later,
    recorded: true,
  },
  {
    at: ollama,
    path: "/v1/chat/completions",
    docs: "https://docs.ollama.com/api/openai-compatibility",
    on,
    recorded: true,
  },
  {
    at: openrouter,
    path: "/api/v1/chat/completions",
    endings: { error: "error" },
    goesBack: ["reasoning_details"],
    docs: "https://openrouter.ai/docs/api_reference/streaming",
    on,
    recorded: true,
  },
  { at: perplexity, path: "/chat/completions", docs: "https://docs.perplexity.ai/", recorded: true },
  { at: portkey, path: "/v1/chat/completions", docs: "https://portkey.ai/docs", recorded: true },
  {
    at: snowflake,
    path: "/api/v2/cortex/v1/chat/completions",
    docs: "https://docs.snowflake.com/en/user-guide/snowflake-cortex/cortex-rest-api",
    recorded: true,
  },
  {
    at: together,
    path: "/v1/chat/completions",
    endings: { eos: "end_turn" },
    docs: "https://docs.together.ai/docs/inference/openai-compatibility",
    on,
    recorded: true,
  },
  { at: venice, path: "/api/v1/chat/completions", docs: "https://docs.venice.ai/", recorded: true },
  {
    at: vertex,
    path: "/v1/projects/p/locations/global/endpoints/openapi/chat/completions",
    docs: "https://cloud.google.com/vertex-ai/generative-ai/docs/migrate/openai/overview",
    on,
  },
  {
    at: vllm,
    path: "/v1/chat/completions",
    docs: "https://docs.vllm.ai/en/v0.22.1/serving/online_serving/openai_compatible_server/",
    on,
    recorded: true,
  },
  {
    at: xai,
    path: "/v1/chat/completions",
    docs: "https://docs.x.ai/developers/model-capabilities/text/comparison.md",
    on,
  },
  { at: zai, path: "/api/paas/v4/chat/completions", docs: "https://docs.z.ai/", recorded: true },
];
