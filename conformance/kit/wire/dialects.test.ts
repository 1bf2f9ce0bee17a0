// That what is known of other hosts is true of the rest: paths lead to formats, addresses to names, words to what adapters read.

import { describe, expect, it, test } from "vitest";
import { readAnswer } from "../../traffic/read/read-exchange.ts";
import { fixtureResponse } from "./fixture-bytes.ts";
import { providerOf } from "../../traffic/record/routes.ts";
import type { Dialect, ProviderCodec } from "./codec.ts";
import { codecs } from "./codecs.ts";
import { dialectOf, hosts, otherHostAt, otherHosts } from "./hosts.ts";
import { response } from "./testing/scripted.ts";

const known = Object.values(codecs).flatMap((codec) =>
  (codec.traffic.dialects ?? []).map((dialect): [string, ProviderCodec, Dialect] => [
    `${codec.provider} at ${dialect.at.title}`,
    codec,
    dialect,
  ]),
);

describe.each(known)("%s", (_, codec, dialect) => {
  const { at, path, routes = [], withoutRules = [], endings = {}, goesBack = [], docs, on, recorded } = dialect;

  it("is known by its path, and by its name", () => {
    expect(providerOf("POST", `${path}?x=1`)).toBe(codec.provider);
    expect(dialectOf(codec.provider, at.name, path)?.at).toBe(at);
    for (const route of routes) expect(route.test(path)).toBe(true);
  });

  it("leaves out rules that there are", () => {
    const rules = codec.rules.map(({ id }) => id);
    expect(withoutRules.filter((name) => !rules.includes(`${codec.provider}/${name}`))).toEqual([]);
  });

  it("has words that its adapter reads as they are meant", async () => {
    for (const [word, meant] of Object.entries(endings)) {
      const wire = codec.renderResponse(
        response([{ text: "Hi." }], { stop_reason: "other", raw_stop_reason: word }),
        "json",
      );
      const chunks = wire.writes.map(({ text }) => ({ bytes: Buffer.from(text) }));
      const read = await readAnswer(codec.provider, fixtureResponse({ ...wire, chunks }), "m");
      expect([read.raw_stop_reason, read.stop_reason]).toEqual([word, meant]);
    }
  });

  it("has a rule for each field that it wants back", () => {
    const upstreams = codec.rules
      .filter(({ id }) => /\/reasoning-(?:details-)?kept$/.test(id))
      .map((rule) => rule.upstreams);
    expect(upstreams.filter((names) => names?.includes(at.name)).length).toBe(goesBack.length);
  });

  it("says where it is documented, and when that was read, or that it was recorded", () => {
    expect(docs).toMatch(/^https:\/\//);
    expect(on ?? "").toMatch(recorded ? /^(?:2\d{3}-\d\d-\d\d)?$/ : /^2\d{3}-\d\d-\d\d$/);
  });
});

test("each host is found at its own address, and no two have a name or a variable", () => {
  for (const { name, url } of otherHosts) expect(otherHostAt(new URL(url).host)?.name).toBe(name);
  const names = [...hosts, ...otherHosts].map(({ name }) => name);
  const variables = [...hosts, ...otherHosts].flatMap(({ addressVariables }) => addressVariables);
  expect([new Set(names).size, new Set(variables).size]).toEqual([names.length, variables.length]);
});

test.each([
  ["my-resource.openai.azure.com", "azure"],
  ["bedrock-runtime.eu-central-1.amazonaws.com", "bedrock"],
  ["bedrock-mantle.us-east-1.api.aws", "bedrock"],
  ["us-central1-aiplatform.googleapis.com", "vertex"],
  ["localhost:11434", "ollama"],
  ["api.openai.com", undefined],
  ["openrouter.ai.example", undefined],
  ["s3.us-east-1.amazonaws.com", undefined],
])("%s is %s", (host, name) => expect(otherHostAt(host)?.name).toBe(name));

test.each([
  ["anthropic-messages", undefined, "/model/anthropic.claude-v2/invoke", "bedrock"],
  ["openai-chat", "acme", "/openai/deployments/d/chat/completions?api-version=1", "azure"],
  ["openai-chat", "acme", "/v1/chat/completions", undefined],
  ["gemini", "vertex", "/v1/models/m:generateContent", "vertex"],
])("a request of %s to %s at %s is one of %s", (provider, upstream, path, name) =>
  expect(dialectOf(provider, upstream, path)?.at.name).toBe(name),
);
