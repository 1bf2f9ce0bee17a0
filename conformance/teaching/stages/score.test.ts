// Whether a stage is passed: only by what ran and passed, and never for want of something to demand.

import { describe, expect, it } from "vitest";
import type { InitializeResult, Verdict } from "../../../schemas/types.ts";
import type { Report } from "../../kit/index.ts";
import { countVerdicts } from "../../kit/index.ts";
import { reportOf, resultOf } from "../../reporters/testing/sample.ts";
import { validate } from "../../kit/base/validate.ts";
import { missingOf, scoreOf, undeclaredStages } from "./score.ts";
import type { ExaminedStage } from "./stages.ts";

const handshake = (...seams: InitializeResult["seams"]): InitializeResult => ({
  protocol: 1,
  implementation: { name: "l", version: "1", language: "lua" },
  seams,
});

/** A stage whose cases are all of the variant. */
function stageOf(number: number, variant: string, ...ids: string[]): ExaminedStage {
  const seam = variant.split("/", 1)[0];
  const stage = {
    number,
    file: `s${number}.md`,
    name: `s${number}`,
    title: `S${number}`,
    on: ["generic"],
    cases: ids,
    reference: [],
  };
  const selected = ids.map((id) => ({ entry: { id }, variant: { name: variant, seam } }));
  return { stage, selected } as unknown as ExaminedStage;
}

function ran(verdicts: Record<string, Verdict>, seams: InitializeResult["seams"] = ["generic"]): Report {
  const variants = Object.entries(verdicts).map(([key, verdict]) => {
    const [id, variant] = key.split(" ") as [string, string];
    return { ...resultOf(verdict, id), case: id, check: `${id}#X-1`, variant };
  });
  return { ...reportOf(variants), implementation: handshake(...seams), totals: countVerdicts(variants) };
}

describe("a stage", () => {
  it("is passed if everything that it demands passed", () => {
    const report = ran({ "a generic": "pass", "b generic": "pass", "c generic": "fail" });
    const score = scoreOf(report, [stageOf(1, "generic", "a", "b"), stageOf(2, "generic", "c")]);
    expect(score.stages.map(({ is_passed, passed, of }) => [is_passed, passed, of])).toEqual([
      [true, 2, 2],
      [false, 0, 1],
    ]);
    expect([score.passed, score.of]).toEqual([1, 2]);
    expect(score.stages[1]!.missing).toMatch(/^c#X-1 generic: /);
    expect(validate("TrackScore", score)).toEqual([]);
  });
  it.each(["fail", "unsupported", "not-run", "harness-error", "expected-fail", "not-applicable"] as const)(
    "is not passed by %s [KIT-21]",
    (verdict) => {
      const one = stageOf(1, "generic", "a", "b");
      const report = ran({ "a generic": "pass", "b generic": verdict });
      expect(scoreOf(report, [one]).stages[0]).toMatchObject({ is_passed: false, passed: 1, of: 2 });
      expect(missingOf(one, report).map(({ case: id }) => id)).toEqual(["b"]);
    },
  );
  it("on the wire demands only the providers that the driver declares", () => {
    const chat = stageOf(1, "openai-chat/json", "a");
    const both: ExaminedStage = {
      ...chat,
      selected: [...chat.selected, ...stageOf(1, "anthropic-messages/json", "b").selected],
    };
    const verdicts = { "a openai-chat/json": "pass", "b anthropic-messages/json": "unsupported" } as const;
    expect(scoreOf(ran(verdicts, ["generic", "openai-chat"]), [both]).stages[0]).toMatchObject({
      is_passed: true,
      of: 1,
    });
    expect(scoreOf(ran(verdicts, ["generic", "anthropic-messages"]), [both]).stages[0]).toMatchObject({
      is_passed: false,
      of: 1,
    });
  });
  it("on the wire is not passed by a driver without a provider [KIT-21]", () => {
    const score = scoreOf(ran({ "a openai-chat/json": "unsupported" }), [stageOf(1, "openai-chat/json", "a")]);
    expect(score.stages[0]).toMatchObject({
      is_passed: false,
      of: 0,
      missing: expect.stringMatching(/no provider.*openai-chat/) as unknown,
    });
  });
  it("that is not passed for want of something declared makes the run red", () => {
    const report = ran({
      "a generic": "pass",
      "b generic": "unsupported",
      "c generic": "fail",
      "d openai-chat/json": "unsupported",
    });
    const examined = [
      ...[stageOf(1, "generic", "a"), stageOf(2, "generic", "b")],
      ...[stageOf(3, "generic", "c"), stageOf(4, "openai-chat/json", "d")],
    ];
    expect(undeclaredStages(report, examined)).toEqual([
      { file: "s2.md", message: expect.stringMatching(/^stage 2, S2, is not passed: b#X-1 generic: /) as unknown },
      {
        file: "s4.md",
        message: expect.stringMatching(/^stage 4, S4, is not passed: the driver declares no prov/) as unknown,
      },
    ]);
    expect(undeclaredStages({ ...report, start_error: "it exited" }, examined)).toEqual([]);
  });
  it("of a driver that never started is not passed, and says why", () => {
    const report = { ...ran({ "a generic": "not-run" }), start_error: "it exited" };
    const score = scoreOf(report, [stageOf(1, "generic", "a")]);
    expect(score).toMatchObject({ start_error: "it exited", passed: 0 });
    expect(score.stages[0]!.missing).toBe("it exited");
  });
});
