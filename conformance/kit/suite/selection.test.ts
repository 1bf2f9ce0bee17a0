// Which variants a case has, which of them a driver can run, and which of them a person asked for.

import { describe, expect, it } from "vitest";
import type { Case, InitializeResult } from "../../../schemas/types.ts";
import { codecs } from "../wire/codecs.ts";
import { readScript } from "./script.ts";
import { isVariantName, select } from "./selection.ts";
import type { Selection } from "./selection.ts";
import { allVariants, canExpress, canRun, takesBarrier, unreported, variantsOf } from "./variant.ts";
import type { Variant } from "./variant.ts";

const base: Case = {
  title: "x",
  since: "1.0",
  requires: ["LOOP-5", "LOOP-7"],
  given: { messages: [] },
  model: [{ text: "Hi." }],
  expect: { status: "completed" },
};
const driver: InitializeResult = {
  protocol: 1,
  implementation: { name: "x", version: "1", language: "x" },
  seams: ["generic"],
};
const named = (name: string): Variant => allVariants.find((variant) => variant.name === name)!;
const names = (source: Case): string[] => variantsOf(source).map(({ name }) => name);

describe("variantsOf", () => {
  it("is everything, unless the author or the script narrows it", () => {
    expect(names(base)).toEqual([
      "generic",
      "anthropic-messages/json",
      "anthropic-messages/sse",
      "gemini/json",
      "gemini/sse",
      "openai-chat/json",
      "openai-chat/sse",
      "openai-responses/json",
      "openai-responses/sse",
    ]);
    expect(names({ ...base, variants: { seams: ["generic"] } })).toEqual(["generic"]);
    expect(names({ ...base, variants: { seams: ["wire"], transports: ["sse"], providers: ["openai-chat"] } })).toEqual([
      "openai-chat/sse",
    ]);
    expect(names({ ...base, model: [{ http: { status: 500 } }] })).not.toContain("generic");
    expect(names({ ...base, model: [{ sse: ["data: x\n\n"] }], variants: { providers: ["openai-chat"] } })).toEqual([
      "openai-chat/sse",
    ]);
    expect(names({ ...base, actions: [{ when: { request: 1, after_parts: 1 }, do: "cancel" }] })).toEqual([
      "anthropic-messages/sse",
      "gemini/sse",
      "openai-chat/sse",
      "openai-responses/sse",
    ]);
  });
});

describe("canExpress", () => {
  const expressible = (source: Case, name: string) => {
    const variant = named(name);
    return canExpress(variant, readScript(source, "r1"), variant.seam === "generic" ? undefined : codecs[variant.seam]);
  };
  it("asks the provider's format", () => {
    expect(expressible(base, "openai-chat/json")).toBe(true);
    expect(
      expressible({ ...base, model: [{ text: "x" }, { respond: [], stop_reason: "pause" }] }, "openai-chat/json"),
    ).toMatch(/^model entry 2: OpenAI Chat has no stop reason pause/);
  });
  it("knows what the generic seam cannot carry", () => {
    expect(
      expressible({ ...base, model: [{ respond: [{ tool_call: { name: "look", input: {} } }] }] }, "generic"),
    ).toMatch(/without an id/);
  });
});

describe("canRun", () => {
  it("needs the seam, the transport and the features", () => {
    expect(canRun(named("generic"), base, driver)).toBe(true);
    expect(canRun(named("openai-chat/sse"), base, driver)).toMatch(/the seam openai-chat/);
    expect(canRun(named("openai-chat/sse"), base, { ...driver, seams: ["openai-chat"], transports: ["json"] })).toMatch(
      /the transport sse/,
    );
    expect(
      canRun(named("generic"), { ...base, features: ["cancel", "stop"] }, { ...driver, features: ["stop"] }),
    ).toMatch(/does not declare cancel$/);
  });
  it("needs the policies that the case asks for", () => {
    const source = { ...base, expect: { result: { x: { $policy: { name: "on_empty", cases: {} } } } } };
    expect(canRun(named("generic"), source, driver)).toMatch(/no policy on_empty/);
    expect(canRun(named("generic"), source, { ...driver, policies: { on_empty: "end" } })).toBe(true);
  });
  it("knows what a driver does not report", () => {
    expect(
      unreported({ ...base, expect: { status: "x", session: [], tools: [] } }, { ...driver, reports: ["events"] }),
    ).toEqual(["ended", "session"]);
    expect(unreported({ ...base, expect: { tools: [] } }, { ...driver, reports: [] })).toEqual([]);
  });
  it("sends no barrier to a driver that may block", () => {
    expect(takesBarrier(driver)).toBe(false);
    expect(takesBarrier({ ...driver, features: ["pause"] })).toBe(false);
    expect(takesBarrier({ ...driver, features: ["cancel"] })).toBe(true);
  });
});

describe("select", () => {
  const cases = ["tools/unknown-tool", "tools/throws", "loop/end"].map((id) => ({
    id,
    file: id,
    case: { ...base, ...(id === "loop/end" && { requires: ["LOOP-7"], features: ["stop"] }) },
  }));
  const selected = (selection: Selection) => [
    ...new Set(select(cases, selection).map(({ entry, variant }) => `${entry.id} ${variant.name}`)),
  ];
  const ids = (selection: Selection) => [...new Set(select(cases, selection).map(({ entry }) => entry.id))];
  it("takes parts of ids, patterns, and paths of files", () => {
    expect(ids({ cases: ["tools/"] })).toEqual(["tools/unknown-tool", "tools/throws"]);
    expect(ids({ cases: ["*/end", "unknown"] })).toEqual(["tools/unknown-tool", "loop/end"]);
    expect(ids({ cases: ["conformance/cases/tools/throws.yaml"] })).toEqual(["tools/throws"]);
    expect(ids({ cases: ["tools/thr*ws"] })).toEqual(["tools/throws"]);
    expect(ids({ cases: ["tools.throws"] })).toEqual([]);
  });
  it("takes the tested requirement and needed features", () => {
    expect(ids({ requires: ["LOOP-7"] })).toEqual(["loop/end"]);
    expect(ids({ features: ["stop"] })).toEqual(["loop/end"]);
    expect(ids({ requires: ["LOOP-5"], features: ["stop"] })).toEqual([]);
  });
  it("takes providers and variants", () => {
    expect(selected({ cases: ["end"], providers: ["generic"] })).toEqual(["loop/end generic"]);
    expect(selected({ cases: ["end"], variants: ["sse"] })).toEqual([
      "loop/end anthropic-messages/sse",
      "loop/end gemini/sse",
      "loop/end openai-chat/sse",
      "loop/end openai-responses/sse",
    ]);
    expect(selected({ cases: ["end"], variants: ["openai-*/sse"] })).toEqual([
      "loop/end openai-chat/sse",
      "loop/end openai-responses/sse",
    ]);
    expect(["*/sse", "generic", "json"].map(isVariantName)).toEqual([true, true, true]);
    expect(["*/grpc", "grpc"].map(isVariantName)).toEqual([false, false]);
    expect(selected({ cases: ["end"], providers: ["openai-chat"], variants: ["openai-chat/json"] })).toEqual([
      "loop/end openai-chat/json",
    ]);
  });
});
