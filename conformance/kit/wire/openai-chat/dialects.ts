// Servers that speak the format of Chat Completions: where they are, what they do otherwise, and what they refuse that OpenAI's own API takes.

import type { Dialect, RuleDescription } from "../codec.ts";
import {
  azure,
  bedrock,
  cerebras,
  deepseek,
  groq,
  mistral,
  moonshot,
  ollama,
  openrouter,
  together,
  vertex,
  vllm,
  xai,
} from "../shared/other-hosts.ts";

type Whose = Required<Pick<RuleDescription, "dialect" | "upstreams">>;

/** Whose a rule is that only such servers have: what it has beside its check. */
export const whose = {
  deepseek: { dialect: "DeepSeek, while it thinks", upstreams: ["deepseek"] },
  moonshot: { dialect: "Moonshot", upstreams: ["moonshot", "kimi"] },
} as const satisfies Record<string, Whose>;

const on = "2026-11-23";

export const dialects: readonly Dialect[] = [
  {
    at: azure,
    path: "/openai/deployments/gpt-4o/chat/completions",
    // The path has the name of a deployment, and the key is in a header of its own.
    routes: [/\/openai\/deployments\/[^/]+\/chat\/completions$/],
    withoutRules: ["authentication", "model"],
    docs: "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference",
    on,
  },
  {
    at: bedrock,
    path: "/openai/v1/chat/completions",
    docs: "https://docs.aws.amazon.com/bedrock/latest/userguide/apis.html",
    on,
  },
  {
    at: cerebras,
    path: "/v1/chat/completions",
    docs: "https://inference-docs.cerebras.ai/resources/openai",
  },
  {
    at: deepseek,
    path: "/chat/completions",
    goesBack: ["reasoning_content"],
    docs: "https://api-docs.deepseek.com/quick_start/your_first_api_call.md",
    on,
  },
  { at: groq, path: "/openai/v1/chat/completions", docs: "https://console.groq.com/docs/openai", on },
  {
    at: mistral,
    path: "/v1/chat/completions",
    endings: { model_length: "max_tokens", error: "error" },
    docs: "https://docs.mistral.ai/api/",
  },
  {
    at: moonshot,
    path: "/v1/chat/completions",
    goesBack: ["reasoning_content"],
    docs: "https://platform.kimi.ai/docs/api/overview.md",
  },
  { at: ollama, path: "/v1/chat/completions", docs: "https://docs.ollama.com/api/openai-compatibility", on },
  {
    at: openrouter,
    path: "/api/v1/chat/completions",
    endings: { error: "error" },
    goesBack: ["reasoning_details"],
    docs: "https://openrouter.ai/docs/api_reference/streaming",
    on,
  },
  {
    at: together,
    path: "/v1/chat/completions",
    endings: { eos: "end_turn" },
    docs: "https://docs.together.ai/docs/inference/openai-compatibility",
    on,
  },
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
  },
  {
    at: xai,
    path: "/v1/chat/completions",
    docs: "https://docs.x.ai/developers/model-capabilities/text/comparison.md",
    on,
  },
];
