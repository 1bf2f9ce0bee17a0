// Other hosts that take the Responses API.

import type { Dialect } from "../codec.ts";
import {
  azure,
  bedrock,
  chatgpt,
  copilot,
  deepseek,
  groq,
  llamaCpp,
  lmStudio,
  moonshot,
  ollama,
  openrouter,
  vllm,
  xai,
} from "../shared/other-hosts.ts";

const on = "2026-11-23";
const later = "2026-11-24";

export const dialects: readonly Dialect[] = [
  {
    at: azure,
    path: "/openai/v1/responses",
    docs: "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/how-to/responses",
    on: later,
    recorded: true,
  },
  {
    at: bedrock,
    path: "/openai/v1/responses",
    docs: "https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html",
    on,
    recorded: true,
  },
  {
    at: chatgpt,
    path: "/backend-api/codex/responses",
    docs: "https://github.com/openai/codex/blob/main/docs/config.md",
    recorded: true,
  },
  { at: copilot, path: "/responses", docs: "https://docs.github.com/en/copilot", recorded: true },
  { at: deepseek, path: "/responses", docs: "https://api-docs.deepseek.com/", recorded: true },
  { at: groq, path: "/openai/v1/responses", docs: "https://console.groq.com/docs/openai", on },
  {
    at: llamaCpp,
    path: "/v1/responses",
    docs: "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    recorded: true,
  },
  { at: lmStudio, path: "/v1/responses", docs: "https://lmstudio.ai/docs/developer", recorded: true },
  { at: moonshot, path: "/v1/responses", docs: "https://platform.kimi.ai/docs/api/overview.md", on: later },
  { at: ollama, path: "/v1/responses", docs: "https://docs.ollama.com/api/openai-compatibility", on },
  {
    at: openrouter,
    path: "/api/v1/responses",
    docs: "https://openrouter.ai/docs/api_reference/streaming",
    recorded: true,
  },
  {
    at: vllm,
    path: "/v1/responses",
    docs: "https://docs.vllm.ai/en/v0.22.1/serving/online_serving/openai_compatible_server/",
    on,
    recorded: true,
  },
  {
    at: xai,
    path: "/v1/responses",
    docs: "https://docs.x.ai/developers/model-capabilities/text/comparison.md",
    on,
    recorded: true,
  },
];
