// A profile is certified only if all that it requires ran and passed; what was skipped, in whatever way, is missing.

import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { Case, InitializeResult, VariantResult, Verdict } from "../../../schemas/types.ts";
import { coverageOf } from "./coverage.ts";
import type { ProfileCoverage } from "./coverage.ts";
import { emptyClaims } from "./manifest-claims.ts";
import { profileNames, profilesOf } from "../suite/profiles.ts";
import type { Profile } from "../suite/profiles.ts";
import type { Suite } from "../suite/types.ts";
import { loadSuite } from "../suite/suite.ts";
import { runAgainst } from "../testing/zoo.ts";
import { exitCodeOf } from "./verdicts.ts";

const features = new Map(["retry", "cancel", "clock.virtual", "journal"].map((name) => [name, `Has ${name}.`]));
const requirements = new Map(
  ["LOOP-1", "LOOP-2", "LOOP-3"].map((id) => [
    id,
    {
      ...{
        id,
        text: "x",
        file: "spec/loop/loop.md",
        line: 1,
        level: "core" as const,
        level_reason: "It is of this loop.",
      },
      ...(id === "LOOP-3" && { untestable: "Nobody sees it." }),
    },
  ]),
);

const entry = (id: string, more: Partial<Case> = {}) => ({
  id,
  file: id,
  case: {
    title: "x",
    since: "1.0",
    requires: ["LOOP-1"],
    given: { messages: [{ role: "user", content: "Hi." }] },
    model: [{ text: "Hi." }],
    expect: { status: "completed" },
    ...more,
  } as Case,
});
const suite: Suite = {
  bugs: {},
  catalogue: { requirements, features, policies: new Map(), source: "" },
  cases: [
    entry("plain"),
    entry("wire", { variants: { seams: ["wire"], providers: ["openai-chat"] } }),
    entry("again", { requires: ["LOOP-2"], features: ["retry"], variants: { seams: ["generic"] } }),
    entry("later", { features: ["retry", "clock.virtual"], variants: { seams: ["generic"] } }),
    entry("broken-off", { features: ["retry", "cancel"], variants: { seams: ["generic"] } }),
    // A call without an id can be said on the wire of openai-chat alone.
    entry("nameless", { model: [{ respond: [{ tool_call: { name: "look", input: {} } }] }] }),
  ],
};

const driver = (more: Partial<InitializeResult> = {}): InitializeResult => ({
  protocol: 1,
  implementation: { name: "mine", version: "1", language: "lua" },
  seams: ["generic", "openai-chat"],
  transports: ["json", "sse"],
  features: ["retry", "clock.virtual"],
  ...more,
});

/** One result for each variant that a profile requires. */
async function everything(verdict: Verdict = "pass"): Promise<VariantResult[]> {
  const keys = (await profilesOf(suite)).flatMap(({ checks }) =>
    checks.flatMap(({ check, variants }) => variants.map((variant) => `${check} ${variant}`)),
  );
  return [...new Set(keys)].map((key) => {
    const [check = "", variant = ""] = key.split(" ");
    const [id = "", requirement = ""] = check.split("#");
    return { check, case: id, requirement, variant, verdict, duration_ms: 1 };
  });
}

async function profile(name: string, variants: VariantResult[], who = driver()): Promise<ProfileCoverage> {
  const { profiles } = await coverageOf({ variants, implementation: who }, suite);
  return profiles.find((one) => one.profile === name)!;
}

describe("profilesOf", () => {
  let profiles: Profile[];
  const checksOf = (name: string) =>
    profiles
      .find((one) => one.name === name)!
      .checks.map(({ check, variants, needs }) => `${check} ${variants.length} ${needs.join()}`.trim());
  beforeAll(async () => {
    profiles = await profilesOf(suite);
  });
  it("are core, the providers and the features", () => {
    expect(profiles.map(({ name }) => name)).toEqual(profileNames(suite));
    expect(profileNames(suite)).toEqual([
      "essential",
      "core",
      "portable",
      "anthropic-messages",
      "gemini",
      "openai-chat",
      "openai-responses",
      "providers",
      ...features.keys(),
    ]);
  });
  it("require what needs no feature, where it can be expressed", () => {
    expect(checksOf("core")).toEqual(["plain#LOOP-1 1"]);
    expect(checksOf("openai-chat")).toEqual(["plain#LOOP-1 2", "wire#LOOP-1 2", "nameless#LOOP-1 2"]);
    expect(checksOf("anthropic-messages")).toEqual(["plain#LOOP-1 2"]);
  });
  it("require what needs the feature, with what it needs beside it, but never without a clock", () => {
    expect(checksOf("retry")).toEqual(["again#LOOP-2 1", "later#LOOP-1 1", "broken-off#LOOP-1 1 cancel"]);
    expect(checksOf("cancel")).toEqual(["broken-off#LOOP-1 1 retry"]);
    expect(checksOf("journal")).toEqual([]);
  });
});

describe("a profile", () => {
  it("is certified if all of it ran and passed", async () => {
    const results = await everything();
    expect(await profile("core", results)).toMatchObject({ required: 1, ran: 1, passed: 1, certified: true });
    expect(await profile("openai-chat", results)).toMatchObject({ required: 6, passed: 6, certified: true });
    expect(await profile("retry", results)).toMatchObject({ required: 2, certified: true, missing: [] });
  });
  const skipped: Verdict[] = ["fail", "expected-fail", "unsupported", "not-applicable", "not-run", "harness-error"];
  it.each(skipped)("is not certified if one variant is %s [KIT-12]", async (verdict) => {
    const results = await everything();
    const one = results.find(({ variant }) => variant === "openai-chat/sse")!;
    Object.assign(one, { verdict, reason: "so it was" });
    const found = await profile("openai-chat", results);
    expect(found).toMatchObject({ certified: false, required: 6, passed: 5 });
    expect(found.missing).toEqual([{ check: one.check, variant: one.variant, verdict, reason: "so it was" }]);
    expect(found.known_failures).toBe(verdict === "expected-fail" ? 1 : 0);
  });
  it("is not certified by a run of a part [KIT-12]", async () => {
    const results = (await everything()).filter(({ variant }) => variant !== "openai-chat/sse");
    expect((await profile("openai-chat", results)).missing).toMatchObject([
      { verdict: "not-selected" },
      { verdict: "not-selected" },
      { verdict: "not-selected" },
    ]);
  });
  it("requires what combines features only of who has them all", async () => {
    const results = await everything();
    const both = driver({ features: ["retry", "cancel", "clock.virtual"] });
    expect((await profile("retry", results, both)).required).toBe(3);
    expect((await profile("cancel", results)).required).toBe(1);
  });
  it("requires a feature on the seams that the driver speaks, and core on the generic one in any case", async () => {
    const results = (await everything()).filter(({ variant }) => variant !== "generic");
    const wireOnly = driver({ seams: ["openai-chat"] });
    expect(await profile("core", results, wireOnly)).toMatchObject({ required: 1, ran: 0, certified: false });
    expect(await profile("retry", results, wireOnly)).toMatchObject({ required: 0, certified: false });
  });
  it("is not certified if it requires nothing [KIT-12]", async () => {
    expect(await profile("journal", await everything())).toMatchObject({ required: 0, certified: false, missing: [] });
  });
  it("of which nothing ran says why", async () => {
    const wireOnly = driver({ seams: ["openai-chat"], features: [] });
    const why = async (name: string, declared: InitializeResult) => (await profile(name, [], declared)).why;
    expect(await why("journal", driver())).toBe("the suite has no check for it");
    expect(await why("core", wireOnly)).toBe("the driver does not declare generic");
    expect(await why("retry", wireOnly)).toBe("the driver does not declare retry");
    expect(await why("providers", driver({ seams: ["generic"] }))).toBe("the driver does not declare a provider");
    expect(await why("providers", wireOnly)).toBeUndefined();
    expect(await why("cancel", driver({ features: ["cancel"] }))).toBe(
      "no check of it applies to what the driver declares",
    );
  });
  it("counts the worst of several results of a variant", async () => {
    const results = await everything();
    const again = results.map((result): VariantResult => ({ ...result, verdict: "fail" }));
    expect((await profile("core", [...results, ...again])).certified).toBe(false);
    expect((await profile("core", [...again, ...results])).certified).toBe(false);
  });
});

describe("a requirement", () => {
  it("has what ran of it and what passed, or why nothing can", async () => {
    const results = await everything();
    results.find(({ requirement }) => requirement === "LOOP-2")!.verdict = "unsupported";
    const { requirements: found } = await coverageOf({ variants: results, implementation: driver() }, suite);
    expect(found).toMatchObject([
      { id: "LOOP-1", ran: results.length - 1, passed: results.length - 1 },
      { id: "LOOP-2", selected: 1, ran: 0, passed: 0 },
      { id: "LOOP-3", selected: 0, untestable: "Nobody sees it." },
    ]);
  });
});

describe.concurrent("what agent-loop.json declares", () => {
  const claim = (behaviour: string, profiles: string[], more = {}) =>
    runAgainst(behaviour, { select: {}, ...more }, { profiles });
  it("is held against a run of everything [KIT-13]", async () => {
    const kept = await claim("blocking", ["core"]);
    expect([kept.report.problems, exitCodeOf(kept)]).toEqual([undefined, 0]);
    const broken = await claim("swaps results", ["core"], { knownFailures: null });
    expect(broken.report.problems).toEqual([
      {
        file: "agent-loop.json",
        message: expect.stringMatching(
          /^declares the profile core, but 1 of its 7 required variants did not pass and are no known failures, such as culprit#SESSION-7 generic fail/,
        ) as unknown,
      },
    ]);
  });
  it("may deviate as it is listed [KIT-13]", async () => {
    const entries = [
      { check: "culprit#SESSION-7", code: "invariant" as const, reason: "It swaps.", line: 1 },
      { check: "overlap#TOOL-19", code: "stuck" as const, reason: "It waits.", line: 2 },
    ];
    const knownFailures = { file: "known.yaml", today: "2026-01-01", entries };
    const run = await claim("swaps results", ["core", "parallel"], { knownFailures });
    expect([run.report.problems, exitCodeOf(run)]).toEqual([undefined, 0]);
  });
  it("is red where it was skipped, or does not exist", async () => {
    const run = await claim("blocking", ["openai-chat", "parallel", "telepathy"]);
    expect(run.report.problems?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^declares the profile telepathy, which does not exist; known: essential, core, /),
      "declares the profile openai-chat, but the suite has no check for it",
      "declares the profile parallel, but the driver does not declare parallel",
    ]);
    expect(exitCodeOf(run)).toBe(1);
  });
  it("is wrong without a run where it names what is not there", () => {
    const catalogue = { features: new Map([["cancel", "x"]]) } as unknown as Suite["catalogue"];
    const manifest = { profiles: ["core", "cancle", ""], known_failures: "no-such.yaml" };
    expect(emptyClaims({ manifest, manifestFile: "mine/agent-loop.json" }, { catalogue })).toEqual([
      "declares the profile cancle, which does not exist; do you mean cancel?",
      expect.stringMatching(/^declares the profile "", which does not exist; known: essential, core, /),
      "names mine/no-such.yaml as its known failures, and that file does not exist",
    ]);
    expect(emptyClaims({ manifest: { profiles: ["core", "cancel"] } }, { catalogue })).toEqual([]);
  });
  it("is not judged by a run of a part [KIT-13]", async () => {
    const run = await claim("blocking", ["openai-chat"], { select: { cases: ["text-"] } });
    expect([run.report.problems, exitCodeOf(run)]).toEqual([undefined, 0]);
  });
});

describe("the suite of the package", () => {
  it("tests every MUST and SHOULD of an implementation, or says why it cannot", async () => {
    const { cases, catalogue } = await loadSuite({ root: fileURLToPath(new URL("../../..", import.meta.url)) });
    const tested = new Set(cases.map(({ case: { requires } }) => requires[0]));
    const untested = [...catalogue.requirements.values()].filter(
      ({ id, text, untestable }) => /\b(MUST|SHOULD)\b/.test(text) && !tested.has(id) && untestable === undefined,
    );
    expect(untested.map(({ id }) => id)).toEqual([]);
  });
});
