// Which cases a driver of level wire can be sent, as what, and how it has to introduce itself.

import { describe, expect, it } from "vitest";
import type { Case, InitializeResult } from "../../../schemas/types.ts";
import { wrongIntroduction } from "../driver/check-handshake.ts";
import { packageRoot } from "../base/package-root.ts";
import { readCatalogue } from "./catalogue.ts";
import { modelOf } from "./script.ts";
import { sharedSuite } from "../testing/shared-suite.ts";
import { codecs } from "../wire/codecs.ts";
import { sayableTo, wireRun } from "./wire-driver.ts";

const driver: InitializeResult = {
  protocol: 1,
  implementation: { name: "some-framework", version: "1", language: "python" },
  level: "wire",
  seams: ["openai-chat"],
  transports: ["json"],
  verbs: ["after", "cancel", "limit"],
  models: { "openai-chat": "gpt-5" },
};

const plain: Case = {
  title: "A plain run",
  since: "1.0",
  requires: ["LOOP-5"],
  given: {
    messages: [{ role: "user", content: "Look." }],
    tools: [{ name: "look", input_schema: { type: "object" } }],
    handlers: { look: { output: "a hill" } },
  },
  model: [{ text: "Seen." }],
  expect: { status: "completed" },
};

const given = (more: Partial<Case["given"]>): Partial<Case> => ({ given: { ...plain.given, ...more } });

const customCall = (name: string) => ({ output: [{ type: "custom_tool_call", call_id: "call_a", name, input: "so" }] });

describe("a case for a driver of level wire", () => {
  it("is sent as a text, tools and a limit", () => {
    const model = { seam: "generic" } as const;
    const source = { ...plain, ...given({ instructions: "Be brief.", options: { max_turns: 3, max_retries: 0 } }) };
    expect(sayableTo(driver, source)).toBe(true);
    const tools = [{ name: "look", input_schema: { type: "object", properties: {} } }];
    const params = { run: "r1", input: "Look.", tools, instructions: "Be brief.", limit: 3, model };
    expect(wireRun(source, "r1", model)).toEqual(params);
    expect(wireRun(plain, "r1", model)).toEqual({ run: "r1", input: "Look.", tools, model });
  });
  it.each<[what: string, source: Partial<Case>, why: RegExp, verbs?: InitializeResult["verbs"]]>([
    ["a verb that is not offered", { features: ["cancel"] }, /does not offer cancel/, ["after"]],
    ["a further message", { features: ["next_message"] }, /does not offer after/, []],
    ["a limit", given({ options: { max_turns: 1 } }), /does not offer limit/, []],
    ["another feature", { features: ["budget"] }, /not sent budget/],
    ["a session", given({ messages: [...plain.given.messages, { role: "assistant", content: "So?" }] }), /no session/],
    ["parts", given({ messages: [{ role: "user", content: [{ type: "text", text: "Look." }] }] }), /one text/],
    ["another option", given({ options: { max_tokens_total: 3 } as never }), /not sent the option max_tokens_total/],
    ["settings", given({ settings: { temperature: 0 } }), /not sent given\.settings/],
    ["a fatal tool", given({ handlers: { look: { throw: "no", fatal: true } } }), /not sent fatal errors/],
    ["an image of a tool", given({ handlers: { look: { output: [{ type: "text", text: "so" }] } } }), /says a text/],
    ["an image at last", given({ handlers: { look: { sequence: [{ output: [] }] } } }), /says a text/],
    [
      "a call of a custom tool",
      { model: [{ http: { status: 200, body: customCall("look") } }] as never },
      /no custom tool/,
    ],
    ["a stop", { actions: [{ when: { request: 1 }, do: "stop" }] }, /no other action than a cancel/],
  ])("is not sent with %s [KIT-28]", (_, more, why, verbs = driver.verbs) => {
    expect(sayableTo({ ...driver, ...(verbs && { verbs }) }, { ...plain, ...more })).toMatch(why);
  });
  it("is sent a custom call of a tool that only the server has", () => {
    const source = { ...plain, model: [{ http: { status: 200, body: customCall("search") } }] } as never;
    expect(sayableTo(driver, source)).toBe(true);
  });
  it("is not sent where its provider takes what the case forbids, while other drivers are [KIT-23]", () => {
    const source: Case = { ...plain, requires: ["PROVIDER-12"] };
    expect(sayableTo(driver, source, codecs.gemini)).toBe("gemini takes half of a surrogate pair");
    expect(sayableTo(driver, source, codecs["openai-chat"])).toBe(true);
    expect(sayableTo(driver, plain, codecs.gemini)).toBe(true);
    const { level: _, ...whole } = driver;
    expect(sayableTo(whole, source, codecs.gemini)).toBe(true);
  });
  it("leaves other drivers all cases", async () => {
    const { level: _, ...whole } = driver;
    const { cases } = await sharedSuite();
    expect(cases.every(({ case: source }) => sayableTo(whole, source) === true)).toBe(true);
    const sayable = cases.filter(({ case: source }) => sayableTo(driver, source) === true);
    expect(sayable.length).toBeGreaterThan(200);
  });
  it("is answered by the model that the driver names", () => {
    expect([modelOf(driver, "openai-chat"), modelOf(driver, "openai-responses")]).toEqual(["gpt-5", "replay"]);
  });
});

describe("the introduction of a driver of level wire", () => {
  const catalogue = readCatalogue(packageRoot());
  it("is right", () => {
    expect(wrongIntroduction(driver, catalogue)).toBeUndefined();
  });
  it.each<[string, Partial<InitializeResult>, RegExp]>([
    ["the seam generic", { seams: ["generic", "openai-chat"] }, /declares the seam generic/],
    ["no transports", { transports: [] }, /declares no transports/],
    ["features", { features: ["cancel"] }, /declares the feature cancel; .*stands in verbs/],
    [
      "a model of another seam",
      { models: { "openai-responses": "gpt-5" } },
      /the seam openai-responses, which it does not/,
    ],
  ])("is wrong with %s", (_, more, message) => {
    expect(wrongIntroduction({ ...driver, ...more }, catalogue)?.message).toMatch(message);
  });
  it("has no verbs without the level", () => {
    const { level: _, ...whole } = driver;
    expect(wrongIntroduction(whole, catalogue)?.message).toMatch(/verbs, which belong to "level": "wire"/);
  });
});
