// That requests find their host and format, and programs the local server.

import { describe, expect, test } from "vitest";
import { baseUrlVariables, dummyKey, ledToUpstreams, offlineEnvironment, withOwnHosts } from "./environment.ts";
import {
  otherUpstreams,
  providerOf,
  providerUpstreams,
  routeOf,
  routeOfUrl,
  upstreamOf,
  upstreamsAt,
} from "./routes.ts";

const groq = { name: "groq", url: "https://groq.test/openai" };
const upstreams = [...providerUpstreams, groq];

describe("a route", () => {
  test.each([
    ["POST", "/anthropic/v1/messages?beta=true", "anthropic", "/v1/messages?beta=true", "anthropic-messages"],
    ["POST", "/anthropic/v1/messages/count_tokens", "anthropic", "/v1/messages/count_tokens", undefined],
    ["POST", "/openai/v1/chat/completions", "openai", "/v1/chat/completions", "openai-chat"],
    ["POST", "/openai/v1/responses", "openai", "/v1/responses", "openai-responses"],
    ["GET", "/openai/v1/responses/resp_1", "openai", "/v1/responses/resp_1", undefined],
    ["POST", "/openai/v1/embeddings", "openai", "/v1/embeddings", undefined],
    ["POST", "/groq/v1/chat/completions", "groq", "/v1/chat/completions", "openai-chat"],
    [
      "POST",
      "/groq/model/us.anthropic.claude-x/invoke",
      "groq",
      "/model/us.anthropic.claude-x/invoke",
      "anthropic-messages",
    ],
    [
      "POST",
      "/groq/publishers/anthropic/models/claude-x:streamRawPredict",
      "groq",
      "/publishers/anthropic/models/claude-x:streamRawPredict",
      "anthropic-messages",
    ],
    ["GET", "/groq?x=1", "groq", "/?x=1", undefined],
  ])("%s %s", (method, target, name, path, provider) => {
    const route = routeOf(method, target, upstreams);
    expect([route?.upstream.name, route?.path, route?.provider]).toEqual([name, path, provider]);
  });

  test("is not found for a path that names no upstream", () => {
    expect(routeOf("POST", "/v1/messages", upstreams)).toBeUndefined();
    expect(routeOf("GET", "/", upstreams)).toBeUndefined();
  });

  test("of a GET is no model call", () => expect(providerOf("GET", "/v1/messages")).toBeUndefined());
});

describe("the route of an address", () => {
  const one = (method: string, url: string) => {
    const route = routeOfUrl(method, url, upstreamsAt({ groq: "https://groq.test/openai/", all: "https://groq.test" }));
    return route && [route.upstream.name, route.path, route.provider];
  };

  test.each([
    ["POST", "https://api.openai.com/v1/responses", "openai", "/v1/responses", "openai-responses"],
    ["POST", "https://groq.test/openai/v1/chat/completions#x", "groq", "/v1/chat/completions", "openai-chat"],
    ["GET", "https://groq.test/openaid", "all", "/openaid", undefined],
    ["GET", "https://groq.test/openai?page=2", "groq", "/?page=2", undefined],
  ])("%s %s", (method, url, ...expected) => expect(one(method, url)).toEqual(expected));

  test("is not found for another host", () => {
    expect(one("POST", "https://api.openai.com.test/v1/responses")).toBeUndefined();
  });

  test("leads where the provider was said to be", () => {
    const openai = upstreamsAt({ openai: "http://127.0.0.1:1/" }).find(({ name }) => name === "openai");
    expect(openai).toEqual({ name: "openai", url: "http://127.0.0.1:1" });
  });
});

describe("a known host of somebody else", () => {
  const origin = "http://127.0.0.1:1";
  const all = [...providerUpstreams, ...otherUpstreams];

  test("has a name, and the base URL that its clients take", () => {
    expect(routeOfUrl("POST", "https://openrouter.ai/api/v1/chat/completions", all)).toMatchObject({
      upstream: { name: "openrouter" },
      path: "/api/v1/chat/completions",
      provider: "openai-chat",
    });
    expect(baseUrlVariables(origin, all)).toMatchObject({
      OPENROUTER_BASE_URL: `${origin}/openrouter/api/v1`,
      DEEPSEEK_BASE_URL: `${origin}/deepseek`,
    });
    expect(baseUrlVariables(origin, [{ name: "mistral", url: "", basePath: "" }])).toEqual({
      MISTRAL_BASE_URL: `${origin}/mistral`,
    });
  });

  test("is the same where its base URL is named as its address", () => {
    expect(upstreamOf("mistral=https://api.mistral.ai/v1/")).toEqual({
      name: "mistral",
      url: "https://api.mistral.ai",
    });
  });

  test("is led to by whatever variable leads to it", () => {
    const own = {
      OPENAI_BASE_URL: "https://openrouter.ai/api/v1",
      MY_API_BASE: "https://elsewhere.test/v1",
      HOMEPAGE: "https://openrouter.ai/",
    };
    expect(ledToUpstreams(origin, all, own)).toEqual({ OPENAI_BASE_URL: `${origin}/openrouter/api/v1` });
  });

  test("that each customer has for himself is found in the environment", () => {
    const own = {
      AZURE_OPENAI_ENDPOINT: "https://me.openai.azure.com/",
      OTHER_ENDPOINT: "https://you.openai.azure.com/",
      HOMEPAGE: "https://they.openai.azure.com/",
    };
    const upstreams = withOwnHosts(all, own);
    expect(upstreams.slice(all.length)).toEqual([{ name: "azure", url: "https://me.openai.azure.com" }]);
    expect(ledToUpstreams(origin, upstreams, own)).toEqual({ AZURE_OPENAI_ENDPOINT: `${origin}/azure/` });
    const named = [...all, { name: "azure", url: "https://they.openai.azure.com" }];
    expect(withOwnHosts(named, own)).toEqual(named);
  });
  test("of a provider leads to the host of which it says that it is there, unless that is named otherwise", () => {
    const own = { OPENAI_BASE_URL: "http://gateway:4000/llm/v1/", ANTHROPIC_BASE_URL: "http://gateway:4000/claude" };
    const upstreams = withOwnHosts(all, own);
    expect(upstreams.find(({ name }) => name === "openai")).toEqual({ name: "openai", url: "http://gateway:4000/llm" });
    expect(upstreams.find(({ name }) => name === "anthropic")?.url).toBe("http://gateway:4000/claude");
    expect(baseUrlVariables(origin, upstreams)).toMatchObject({
      OPENAI_BASE_URL: `${origin}/openai/v1`,
      ANTHROPIC_BASE_URL: `${origin}/anthropic`,
    });
    const bare = withOwnHosts(all, { OPENAI_BASE_URL: "http://gateway:4000" });
    expect(baseUrlVariables(origin, bare)["OPENAI_BASE_URL"]).toBe(`${origin}/openai`);
    const named = [{ name: "openai", url: "https://elsewhere.example" }];
    expect(withOwnHosts(named, own)).toEqual(named);
    expect(withOwnHosts(all, { OPENAI_BASE_URL: "not an address" })).toEqual(all);
  });
});

describe("--upstream", () => {
  test("takes a name and an address", () => expect(upstreamOf("groq=https://groq.test/openai/")).toEqual(groq));
  test.each(["groq", "=https://x.test", "Groq=https://x.test", "groq=", "groq=ftp://x.test", "groq=x"])(
    "refuses %s in words",
    (text) => expect(upstreamOf(text)).toMatch(/^expected /),
  );
});

describe("the environment", () => {
  test("has the base URL in every spelling", () => {
    expect(baseUrlVariables("http://127.0.0.1:1", upstreams)).toMatchObject({
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1/anthropic",
      OPENAI_BASE_URL: "http://127.0.0.1:1/openai/v1",
      OPENAI_API_BASE: "http://127.0.0.1:1/openai/v1",
      GROQ_BASE_URL: "http://127.0.0.1:1/groq",
    });
  });

  test("of a replay has no key that opens anything, and no way out [REPLAY-8]", () => {
    const own = { PATH: "/bin", OPENAI_API_KEY: "sk-real", GEMINI_API_KEY: "real", https_proxy: "http://proxy.test" };
    const environment = offlineEnvironment(own, "http://127.0.0.1:1", upstreams, "http://127.0.0.1:9");
    expect(environment).toMatchObject({ PATH: "/bin", OPENAI_API_KEY: dummyKey, https_proxy: "http://127.0.0.1:9" });
    expect(JSON.stringify(environment)).not.toMatch(/real|proxy\.test/);
  });

  const gone = {
    AWS_ACCESS_KEY_ID: "AKIA",
    AWS_SECRET_ACCESS_KEY: "real",
    AWS_SESSION_TOKEN: "real",
    AWS_BEARER_TOKEN_BEDROCK: "real",
    AWS_PROFILE: "work",
    CLAUDE_CODE_OAUTH_TOKEN: "real",
    GITHUB_TOKEN: "real",
    HF_TOKEN: "real",
    OPENAI_KEY: "real",
    API_KEY: "real",
    GOOGLE_APPLICATION_CREDENTIALS: "/home/me/key.json",
    DB_PASSWORD: "real",
    DATABASE_URL: "postgres://me:real@db.test/x",
    AZURE_OPENAI_ENDPOINT: "https://me.openai.azure.test",
    GOOGLE_VERTEX_BASE_URL: "https://vertex.test",
    ANTHROPIC_BEDROCK_BASE_URL: "https://bedrock.test",
    MISTRAL_API_BASE: "https://mistral.test",
    OLLAMA_HOST: "gpu.test:11434",
  };

  test.each(Object.entries(gone))("of a replay has no %s [REPLAY-8]", (name, value) => {
    const offline = (kept: string[]) =>
      offlineEnvironment({ [name]: value }, "http://127.0.0.1:1", upstreams, "http://127.0.0.1:9", kept)[name];
    expect([offline([]), offline([name])]).toEqual([undefined, value]);
  });

  test("of a replay has a key for each upstream that opens nothing, and what is no secret", () => {
    const own = {
      HOME: "/home/me",
      MAX_TOKENS: "5",
      PWD: "/x",
      BASE_URL: "/app",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://o.test",
    };
    const environment = offlineEnvironment(own, "http://127.0.0.1:1", upstreams, "http://127.0.0.1:9");
    expect(environment).toMatchObject({ ...own, GROQ_API_KEY: dummyKey, GROQ_BASE_URL: "http://127.0.0.1:1/groq" });
  });
});
