// Other hosts that take the Responses API.

import type { Dialect } from "../codec.ts";
import { azure, bedrock, groq, moonshot, ollama, openrouter, vllm, xai } from "../shared/other-hosts.ts";

const on = "2026-11-23";

export const dialects: readonly Dialect[] = [
  {
    at: azure,
    path: "/openai/v1/responses",
    docs: "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/how-to/responses",
  },
  {
    at: bedrock,
    path: "/openai/v1/responses",
    docs: "https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html",
    on,
  },
  { at: groq, path: "/openai/v1/responses", docs: "https://console.groq.com/docs/openai", on },
  { at: moonshot, path: "/v1/responses", docs: "https://platform.kimi.ai/docs/api/overview.md" },
  { at: ollama, path: "/v1/responses", docs: "https://docs.ollama.com/api/openai-compatibility", on },
  { at: openrouter, path: "/api/v1/responses", docs: "https://openrouter.ai/docs/api_reference/streaming" },
  {
    at: vllm,
    path: "/v1/responses",
    docs: "https://docs.vllm.ai/en/v0.22.1/serving/online_serving/openai_compatible_server/",
    on,
  },
  {
    at: xai,
    path: "/v1/responses",
    docs: "https://docs.x.ai/developers/model-capabilities/text/comparison.md",
    on,
  },
];
