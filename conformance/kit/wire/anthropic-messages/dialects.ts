// Other hosts that take the Messages API, and what of the provider is not so there.

import type { Dialect } from "../codec.ts";
import { bedrock, deepseek, moonshot, ollama, openrouter, vertex, vllm } from "../shared/other-hosts.ts";

const on = "2026-11-23";
/** The model is in the path and the version in the body, and the cloud has credentials of its own. */
const ofClouds = ["authentication", "model", "unknown-fields", "version-header"];

export const dialects: readonly Dialect[] = [
  {
    at: bedrock,
    path: "/model/us.anthropic.claude-sonnet-4-5-v1:0/invoke",
    routes: [/^\/model\/[^/]*anthropic\.[^/]+\/invoke$/],
    withoutRules: ofClouds,
    docs: "https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-claude.html",
    on,
    recorded: true,
  },
  {
    at: vertex,
    path: "/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5:rawPredict",
    routes: [/\/publishers\/anthropic\/models\/[^/]+:(?:streamR|r)awPredict$/],
    withoutRules: ofClouds,
    docs: "https://docs.anthropic.com/en/api/claude-on-vertex-ai",
    on,
  },
  {
    at: deepseek,
    path: "/anthropic/v1/messages",
    docs: "https://api-docs.deepseek.com/quick_start/your_first_api_call.md",
    on,
  },
  { at: ollama, path: "/v1/messages", docs: "https://docs.ollama.com/api/anthropic-compatibility", on },
  {
    at: openrouter,
    path: "/api/v1/messages",
    docs: "https://hexdocs.pm/openrouter_sdk/OpenrouterSdk.Api.Messages.html",
    on: "2026-11-24",
  },
  {
    at: vllm,
    path: "/v1/messages",
    docs: "https://docs.vllm.ai/en/v0.32.0/serving/online_serving/",
    on,
    recorded: true,
  },
  {
    at: moonshot,
    path: "/anthropic/v1/messages",
    docs: "https://platform.kimi.ai/docs/api/overview.md",
    on: "2026-11-24",
  },
];
