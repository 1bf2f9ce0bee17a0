// Hosts that take the formats of the providers, each with its address and the variables in which clients look for it.

import type { OtherHost } from "../codec.ts";

interface Known extends Pick<OtherHost, "title" | "url" | "host"> {
  basePath?: string;
  address?: readonly string[];
  key?: readonly string[];
  /** Each customer or region has one of its own. */
  isOneOfMany?: true;
}

function host(name: string, { basePath = "", address, key, isOneOfMany, ...known }: Known): OtherHost {
  const variable = name.toUpperCase().replaceAll("-", "_");
  return {
    ...known,
    name,
    basePath,
    isFixed: isOneOfMany !== true,
    addressVariables: address ?? [`${variable}_BASE_URL`],
    keyVariables: key ?? [`${variable}_API_KEY`],
  };
}

export const alibaba = host("alibaba", {
  title: "Alibaba Model Studio",
  url: "https://dashscope-intl.aliyuncs.com",
  basePath: "/compatible-mode/v1",
  host: /^(?:(?:cn-hongkong\.)?dashscope(?:-intl|-us)?|[a-z0-9-]+\.[a-z0-9-]+\.maas)\.aliyuncs\.com$/,
  address: ["DASHSCOPE_BASE_URL"],
  key: ["DASHSCOPE_API_KEY"],
});
export const azure = host("azure", {
  title: "Azure OpenAI",
  url: "https://resource.openai.azure.com",
  host: /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/,
  address: ["AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_BASE_URL"],
  key: ["AZURE_OPENAI_API_KEY"],
  isOneOfMany: true,
});
export const bedrock = host("bedrock", {
  title: "Amazon Bedrock",
  url: "https://bedrock-runtime.us-east-1.amazonaws.com",
  host: /^bedrock-(?:runtime|mantle)\.[a-z0-9-]+\.(?:amazonaws\.com|api\.aws)$/,
  address: ["ANTHROPIC_BEDROCK_BASE_URL", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
  key: ["AWS_BEARER_TOKEN_BEDROCK"],
  isOneOfMany: true,
});
export const cerebras = host("cerebras", {
  title: "Cerebras",
  url: "https://api.cerebras.ai",
  host: /^api\.cerebras\.ai$/,
});
export const chatgpt = host("chatgpt", {
  title: "ChatGPT",
  url: "https://chatgpt.com",
  basePath: "/backend-api/codex",
  host: /^chatgpt\.com$/,
});
export const copilot = host("copilot", {
  title: "GitHub Copilot",
  url: "https://api.githubcopilot.com",
  host: /^api(?:\.[a-z]+)?\.githubcopilot\.com$/,
});
export const crusoe = host("crusoe", {
  title: "Crusoe",
  url: "https://api.inference.crusoecloud.com",
  basePath: "/v1",
  host: /^api\.inference\.crusoecloud\.com$/,
});
export const deepseek = host("deepseek", {
  title: "DeepSeek",
  url: "https://api.deepseek.com",
  host: /^api\.deepseek\.com$/,
});
export const doubleword = host("doubleword", {
  title: "Doubleword",
  url: "https://api.doubleword.ai",
  basePath: "/v1",
  host: /^api\.doubleword\.ai$/,
});
export const groq = host("groq", { title: "Groq", url: "https://api.groq.com", host: /^api\.groq\.com$/ });
export const heroku = host("heroku", {
  title: "Heroku",
  url: "https://us.inference.heroku.com",
  basePath: "/v1",
  host: /^[a-z]+\.inference\.heroku\.com$/,
  address: ["INFERENCE_URL"],
  key: ["INFERENCE_KEY"],
});
export const huggingface = host("huggingface", {
  title: "Hugging Face",
  url: "https://router.huggingface.co",
  basePath: "/v1",
  host: /^router\.huggingface\.co$/,
  key: ["HF_TOKEN"],
});
export const litellm = host("litellm", {
  title: "LiteLLM",
  url: "http://127.0.0.1:4000",
  host: /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0):4000$/,
});
export const llamaCpp = host("llama-cpp", {
  title: "llama.cpp",
  url: "http://127.0.0.1:8080",
  basePath: "/v1",
  host: /^(?:localhost|127\.0\.0\.1):8080$/,
});
export const lmStudio = host("lm-studio", {
  title: "LM Studio",
  url: "http://127.0.0.1:1234",
  basePath: "/v1",
  host: /^(?:localhost|127\.0\.0\.1):1234$/,
});
export const mistral = host("mistral", {
  title: "Mistral",
  url: "https://api.mistral.ai",
  basePath: "/v1",
  host: /^api\.mistral\.ai$/,
});
export const moonshot = host("moonshot", {
  title: "Moonshot",
  url: "https://api.moonshot.ai",
  basePath: "/v1",
  host: /^api\.moonshot\.(?:ai|cn)$/,
});
export const ollama = host("ollama", {
  title: "Ollama",
  url: "http://127.0.0.1:11434",
  basePath: "/v1",
  host: /^(?:ollama\.com|(?:localhost|127\.0\.0\.1):11434)$/,
});
export const openrouter = host("openrouter", {
  title: "OpenRouter",
  url: "https://openrouter.ai",
  basePath: "/api/v1",
  host: /^openrouter\.ai$/,
});
export const perplexity = host("perplexity", {
  title: "Perplexity",
  url: "https://api.perplexity.ai",
  host: /^api\.perplexity\.ai$/,
});
export const portkey = host("portkey", {
  title: "Portkey",
  url: "https://api.portkey.ai",
  basePath: "/v1",
  host: /^api\.portkey\.ai$/,
});
export const snowflake = host("snowflake", {
  title: "Snowflake Cortex",
  url: "https://account.snowflakecomputing.com",
  basePath: "/api/v2/cortex/v1",
  host: /\.snowflakecomputing\.com$/,
  isOneOfMany: true,
});
export const together = host("together", {
  title: "Together",
  url: "https://api.together.ai",
  basePath: "/v1",
  host: /^api\.together\.(?:xyz|ai)$/,
});
export const venice = host("venice", {
  title: "Venice",
  url: "https://api.venice.ai",
  basePath: "/api/v1",
  host: /^api\.venice\.ai$/,
});
export const vertex = host("vertex", {
  title: "Vertex AI",
  url: "https://aiplatform.googleapis.com",
  host: /^(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com$/,
  address: ["GOOGLE_VERTEX_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL"],
  key: [],
  isOneOfMany: true,
});
export const vllm = host("vllm", {
  title: "vLLM",
  url: "http://127.0.0.1:8000",
  basePath: "/v1",
  host: /^(?:localhost|127\.0\.0\.1):8000$/,
});
export const xai = host("xai", { title: "xAI", url: "https://api.x.ai", basePath: "/v1", host: /^api\.x\.ai$/ });
export const zai = host("zai", {
  title: "Z.ai",
  url: "https://api.z.ai",
  basePath: "/api/paas/v4",
  host: /^(?:api\.z\.ai|open\.bigmodel\.cn)$/,
});
