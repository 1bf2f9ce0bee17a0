// The judge is fair: a loop that is odd in everything that is left open keeps what is essential, and each bug that is planted in it is found.

import { describe, expect, it } from "vitest";
import type { ObservedPolicy } from "../../../schemas/types.ts";
import { isWhole } from "../../dev/whole.ts";
import { requirementVerdicts } from "../run/requirement-verdicts.ts";
import type { Report } from "../run/make-report.ts";
import { curt, lively, oddLoop } from "../testing/odd-loop.ts";
import type { PlantedBug, Ways } from "../testing/odd-loop.ts";
import { playSuite } from "../testing/play-suite.ts";

/** How long a run may be silent on a machine that is busy, in milliseconds. */
const timeoutMs = 60_000;

/** Cases in which the two ways differ, or that a loop like these might fail without being wrong. */
const cases = [
  "behaviours/",
  "next-message/arguments-that-are-no-json",
  "next-message/lost-stream",
  "next-message/tool-throws",
  "next-message/whole-call-beside-the-token-limit",
  "next-message/thinking-without-an-answer",
  "session/duplicate-id",
  "session/missing-id",
  "stop/max-tokens",
  "stop/lost-stream",
  "streaming/anthropic-cut-inside-a-call",
  "streaming/chat-",
  "tools/arguments-are-",
  "tools/executed-once",
  "tools/null-input-is-not-executed",
  "providers/chat-one-tool-message-each",
];

/** Asks for thinking, and takes none that is not signed. */
const unsigned: Ways = { ...curt, thinking: "is asked for" };

const select = { cases, variants: ["openai-chat/json", "anthropic-messages/sse"] };

/** Each with the requirement that it breaks, and a case that shows it. */
const bugs: [bug: PlantedBug, requirement: string, found: string][] = [
  ["executes what was cut off", "LOOP-9", "stop/max-tokens-with-cut-arguments"],
  ["tells failures as success", "LOOP-18", "stop/lost-stream-after-text"],
  ["leaves calls open", "SESSION-28", "next-message/whole-call-beside-the-token-limit"],
  ["forgets results", "SESSION-27", "next-message/failure-after-a-tool"],
  ["executes calls twice", "TOOL-12", "tools/arguments-reach-the-tool"],
  ["leaves calls undone", "LOOP-5", "stop/tool-use-with-calls"],
  ["leaves calls undone", "LOOP-5", "tools/arguments-reach-the-tool"],
  ["executes what was lost", "LOOP-19", "next-message/lost-stream-after-a-call"],
  ["executes what was cut off", "LOOP-9", "stop/context-window-with-call"],
  ["tells failures as success", "LOOP-27", "stop/context-window-with-call"],
];

function broken({ variants }: Report): string[] {
  return requirementVerdicts(variants)
    .filter(({ outcome }) => outcome === "broken")
    .map(({ id, broken: found }) => `${id} in ${found[0]!.result.case}: ${found[0]!.finding.message}`);
}

function seen({ observed = [] }: { observed?: ObservedPolicy[] }): Record<string, string> {
  return Object.fromEntries(observed.map(({ policy, choices }) => [policy, Object.keys(choices).join(" and ")]));
}

describe("a loop that is odd, but right", () => {
  it.each([
    [
      "asks again, tells the model everything and runs tools at once",
      lively,
      { batch: "parallel", cut_calls: "asked_again", cut_text: "asked_again", tool_exception: "answered" },
    ],
    [
      "ends where it can, and runs one tool after the other",
      curt,
      { batch: "serial", cut_calls: "ended", cut_text: "ended", tool_exception: "raised", unknown_tool: "raised" },
    ],
  ])("keeps what is essential, and is seen as it is: it %s [KIT-33]", async (_, ways, observed) => {
    const report = await playSuite(oddLoop(ways), { level: "essential", timeoutMs, select });
    expect(broken(report)).toEqual([]);
    expect(report.totals.pass).toBeGreaterThan(40);
    expect(seen(report)).toMatchObject({ ...observed, system_text: "extended", default_limit: "another" });
  });
  it.each<[bug: PlantedBug, requirement: string, found: string]>(isWhole ? bugs : bugs.slice(0, 2))(
    "is found out where it %s",
    async (bug, requirement, id) => {
      const right = await playSuite(oddLoop(curt), {
        level: "essential",
        timeoutMs,
        select: { ...select, cases: [id] },
      });
      const wrong = await playSuite(oddLoop(curt, bug), {
        level: "essential",
        timeoutMs,
        select: { ...select, cases: [id] },
      });
      expect(broken(right)).toEqual([]);
      expect(broken(wrong)).toContainEqual(expect.stringMatching(new RegExp(`^${requirement} `)));
    },
  );
  it.each<[bug: PlantedBug, requirement: string, id: string]>([
    ["executes calls that break their schema", "TOOL-5", "tools/siblings-are-executed"],
    ["leaves siblings undone", "TOOL-11", "tools/siblings-are-executed"],
    ["leaves siblings undone", "TOOL-11", "tools/null-input-is-not-executed"],
  ])("breaks one thing where a call stands beside wrong ones, and it %s", async (bug, requirement, id) => {
    const only = { ...select, cases: [id] };
    const right = await playSuite(oddLoop(lively), { level: "essential", timeoutMs, select: only });
    const wrong = await playSuite(oddLoop(lively, bug), { level: "essential", timeoutMs, select: only });
    expect(broken(right)).toEqual([]);
    expect(broken(wrong).map((line) => line.split(" ")[0])).toEqual([requirement]);
  });
  it.each<[id: string, requirement: string, variant: string]>([
    ["providers/responses-items-go-back", "RESPONSES-3", "openai-responses/json"],
    ["streaming/responses-encrypted-content-when-done", "RESPONSES-17", "openai-responses/sse"],
  ])("may send items back in short, but not without their seals: %s", async (id, requirement, variant) => {
    const only = { cases: [id, "streaming/responses-annotations"], variants: [variant] };
    const right = await playSuite(oddLoop(lively), { level: "essential", timeoutMs, select: only });
    const wrong = await playSuite(oddLoop(lively, "forgets seals"), { level: "essential", timeoutMs, select: only });
    expect(broken(right)).toEqual([]);
    expect(broken(wrong)).toContainEqual(expect.stringMatching(new RegExp(`^${requirement} in ${id}`)));
  });
  it.each(["next-message/lost-stream-in-thinking", "next-message/cancelled-in-thinking"])(
    "may send back a thought that had come whole before the rest was lost, but no other: %s",
    async (id) => {
      const only = { cases: [id], variants: ["openai-responses/sse"] };
      const right = await playSuite(oddLoop(curt), { level: "essential", timeoutMs, select: only });
      const wrong = await playSuite(oddLoop(curt, "changes thoughts"), { level: "essential", timeoutMs, select: only });
      expect(right.totals.pass).toBe(1);
      expect(broken(right)).toEqual([]);
      expect(broken(wrong).map((line) => line.split(" ")[0])).toEqual(["SESSION-31"]);
    },
  );
  it("breaks nothing else where it says too little of a response that was cut off", async () => {
    const only = { cases: ["stop/context-window-with-call"], variants: ["anthropic-messages/sse"] };
    const wrong = await playSuite(oddLoop(curt, "tells failures as success"), {
      level: "essential",
      timeoutMs,
      select: only,
    });
    expect(broken(wrong).map((line) => line.split(" ")[0])).toEqual(["LOOP-27"]);
  });
  it("may send results in any order, but not one for another", async () => {
    const ids = ["providers/chat-one-tool-message-each", "stop/tool-use-with-calls"];
    const only = { ...select, cases: ids };
    const right = await playSuite(oddLoop(lively), { level: "essential", timeoutMs, select: only });
    const wrong = await playSuite(oddLoop(lively, "mixes up results"), { level: "essential", timeoutMs, select: only });
    expect(right.totals.pass).toBe(3);
    expect(broken(right)).toEqual([]);
    expect(broken(wrong)).toContainEqual(expect.stringMatching(/^CHAT-3 /));
    expect(broken(wrong)).toContainEqual(expect.stringMatching(/^LOOP-5 /));
  });
  it("may refuse ids that come again, but not when it has executed half of them", async () => {
    const only = { ...select, cases: ["session/duplicate-id", "behaviours/repeated-ids"] };
    const ways = { ...curt, ids: "refused" } as const;
    const right = await playSuite(oddLoop(ways), { level: "essential", timeoutMs, select: only });
    const half = { ...select, cases: ["session/duplicate-id-in-one-response"] };
    const wrong = await playSuite(oddLoop(ways, "refuses ids too late"), {
      level: "essential",
      timeoutMs,
      select: half,
    });
    expect(broken(right)).toEqual([]);
    expect(seen(right)).toMatchObject({ repeated_ids: "refused" });
    expect(broken(wrong)).toEqual([expect.stringMatching(/^SESSION-9 /)]);
  });
  it("executes the calls that it was sent in a stream, or has lost them, though it says that it failed", async () => {
    const only = { cases: ["streaming/chat-same-index-other-id"], variants: ["openai-chat/sse"] };
    const wrong = await playSuite(oddLoop(curt, "takes two calls for one"), {
      level: "essential",
      timeoutMs,
      select: only,
    });
    expect(broken(wrong)).toEqual([expect.stringMatching(/^CHAT-11 /)]);
  });
  it("is told which of several calls it should not have executed", async () => {
    const only = { ...select, cases: ["session/every-call-is-answered"] };
    const wrong = await playSuite(oddLoop(lively, "executes calls that break their schema"), {
      level: "essential",
      timeoutMs,
      select: only,
    });
    expect(broken(wrong)).toEqual([
      expect.stringContaining("picky was executed although its arguments break its schema"),
    ]);
  });
  it("breaks nothing else where it leaves calls undone", async () => {
    const only = { ...select, cases: ["tools/arguments-reach-the-tool"] };
    const wrong = await playSuite(oddLoop(curt, "leaves calls undone"), {
      level: "essential",
      timeoutMs,
      select: only,
    });
    expect(broken(wrong).map((line) => line.split(" ")[0])).toEqual(["LOOP-5"]);
  });
  it("breaks no rule about ids where it executes what was lost, and is asked again", async () => {
    const only = { cases: ["next-message/lost-stream-after-a-call"], variants: ["anthropic-messages/sse"] };
    const wrong = await playSuite(oddLoop(lively, "executes what was lost"), {
      level: "essential",
      timeoutMs,
      select: only,
    });
    expect(broken(wrong).map((line) => line.split(" ")[0])).toEqual(["LOOP-19"]);
  });
  it.each(["next-message/lost-stream-after-text", "providers/reset-before-the-end-of-a-stream"])(
    "may ask again after a loss, but not inside of half an answer: %s",
    async (id) => {
      const only = { cases: [id], variants: ["openai-chat/sse"] };
      const right = await playSuite(oddLoop(lively), { level: "essential", timeoutMs, select: only });
      const wrong = await playSuite(oddLoop(lively, "goes on inside of half an answer"), {
        level: "essential",
        timeoutMs,
        select: only,
      });
      expect(broken(right)).toEqual([]);
      expect(broken(wrong)).toContainEqual(expect.stringMatching(/^SESSION-13 /));
    },
  );
  it.each<[ways: Ways, bug: PlantedBug, requirement: string, id: string, variant: string]>([
    [unsigned, "makes up signatures", "PROVIDER-20", "providers/anthropic-thinking-without-a-signature", "json"],
    [lively, "makes up signatures", "PROVIDER-20", "providers/anthropic-thinking-without-a-signature", "json"],
    [lively, "moves texts behind calls", "LOOP-1", "stop/answer-shaped-text-beside-a-call", "json"],
    [lively, "cannot read what is blank", "TOOL-1", "tools/arguments-blank", "sse"],
  ])(
    "breaks one thing where it is wrong, and nothing where it is right: %# [KIT-7]",
    async (ways, bug, requirement, id, transport) => {
      const only = { cases: [id], variants: [`anthropic-messages/${transport}`] };
      const right = await playSuite(oddLoop(ways), { level: "essential", timeoutMs, select: only });
      const wrong = await playSuite(oddLoop(ways, bug), { level: "essential", timeoutMs, select: only });
      expect(broken(right)).toEqual([]);
      expect(broken(wrong).map((line) => line.split(" ")[0])).toEqual([requirement]);
    },
  );
  it("has sent no signature of its own where it would not take an answer without, and says so", async () => {
    const only = { cases: ["providers/anthropic-thinking-without-a-signature"], variants: ["anthropic-messages/json"] };
    const { variants } = await playSuite(oddLoop(unsigned), { level: "essential", timeoutMs, select: only });
    const [{ findings = [] } = {}] = variants;
    expect(findings.find(({ requirement }) => requirement === "PROVIDER-20")).toMatchObject({
      verdict: "not_seen",
      reason: "the run ended in an error, and reported it, before the request in which it would show",
    });
  });
  it("may hand over the word true as true, but not as it is where its schema asks for a boolean", async () => {
    const only = { cases: ["tools/string-is-no-boolean"], variants: ["openai-chat/json"] };
    const right = await playSuite(oddLoop(lively), { timeoutMs, select: only });
    const bug: PlantedBug = "executes calls that break their schema";
    const wrong = await playSuite(oddLoop({ ...lively, types: "refused" }, bug), { timeoutMs, select: only });
    const found = (report: Report) => broken(report).map((line) => line.split(" ")[0]);
    expect(found(right)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^TOOL-[58]$/)]));
    expect(found(wrong)).toContain("TOOL-5");
  });
  it("has forgotten a result, too, where the provider refuses what it says next", async () => {
    const only = { cases: ["next-message/cancelled-with-one-of-two-done"], variants: ["openai-chat/json"] };
    const right = await playSuite(oddLoop(lively), { level: "essential", timeoutMs, select: only });
    const wrong = await playSuite(oddLoop(lively, "forgets a batch that was cancelled"), {
      level: "essential",
      timeoutMs,
      select: only,
    });
    expect(broken(right)).toEqual([]);
    expect(broken(wrong).map((line) => line.split(" ")[0])).toEqual(["SESSION-27", "SESSION-28"]);
  });
  it("does what nobody names, and that is red where the case names all that is right [KIT-33]", async () => {
    const only = { ...select, cases: ["behaviours/tool-exception"] };
    const report = await playSuite(oddLoop(curt, "tells failures as success"), {
      level: "essential",
      timeoutMs,
      select: only,
    });
    expect(broken(report)).toContainEqual(expect.stringMatching(/^TOOL-49 in behaviours\/tool-exception/));
    expect(seen(report)["tool_exception"]).toBeUndefined();
    const [failed] = report.variants.filter(({ verdict }) => verdict === "fail");
    expect(failed?.failures?.[0]).toMatchObject({
      message: "it is none of the behaviours that are known here: answered, raised",
      path: "/expect/one_of",
    });
  });
});

// In every case, on every provider. Which transport it is says nothing of where a loop goes on: each has one of them.
it.runIf(isWhole).each<[string, Ways, string[]]>([
  ["goes on", lively, ["streamed"]],
  ["ends", curt, ["generic", "json"]],
])(
  "keeps every essential requirement, whether it %s where things go wrong",
  async (_, ways, transports) => {
    const how = { level: "essential", timeoutMs, select: { variants: transports } } as const;
    const { variants, totals } = await playSuite(oddLoop(ways), how);
    const broken = requirementVerdicts(variants).filter(({ outcome }) => outcome === "broken");
    expect(broken.map(({ id, broken: [first] }) => `${id}: ${first!.finding.message}`)).toEqual([]);
    expect(totals.pass).toBeGreaterThan(500);
  },
  300_000,
);
