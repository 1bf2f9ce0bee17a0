// Where a red run says to begin: at the earliest stage, at what this names first, and at nothing that no stage examines while one does.

import { expect, it } from "vitest";
import type { VariantResult } from "../../../schemas/types.ts";
import { sharedSuite } from "../../kit/testing/shared-suite.ts";
import type { Report, Suite } from "../../kit/index.ts";
import { rankOf } from "../../kit/suite/levels.ts";
import { beginHere } from "./begin-here.ts";
import { readStages } from "./stages.ts";

const suite = await sharedSuite();

function failed(id: string, more: Partial<VariantResult> = {}): VariantResult {
  const { case: source } = suite.cases.find((entry) => entry.id === id)!;
  const requirement = source.requires[0]!;
  return {
    check: `${id}#${requirement}`,
    case: id,
    requirement,
    variant: "generic",
    verdict: "fail",
    ...more,
  } as VariantResult;
}

async function begun(
  variants: VariantResult[],
  more: Partial<Report> = {},
  of: Suite = suite,
): Promise<string | undefined> {
  return (await beginHere({ variants, ...more } as Report, of))?.case;
}

const [response, loop] = ["stop/end-turn-text", "loop/final-answer-after-tool-turns"] as const;

it("is the earliest stage, whatever the order of the report", async () => {
  expect(await begun([failed(loop), failed(response)])).toBe(response);
  expect(await begun([failed(response), failed(loop)])).toBe(response);
});

it("is what its stage names first", async () => {
  const { cases } = readStages()[1]!;
  expect(cases.slice(0, 2)).toEqual([response, "results/final-text-is-joined"]);
  expect(await begun([failed(cases[1]!), failed(response)])).toBe(response);
});

it("is what hurts most of what one line of its stage names", async () => {
  const stage = readStages().find(({ cases }) => cases.includes("scheduling/*"))!;
  const ids = suite.cases.flatMap(({ id, case: source }) =>
    id.startsWith("scheduling/") && (source.features ?? []).length === 0 ? id : [],
  );
  expect([stage.number, ids.length > 1]).toEqual([5, true]);
  const rank = (id: string) => rankOf(suite.catalogue.requirements.get(failed(id).requirement)!);
  const first = await begun(ids.map((id) => failed(id)));
  expect(rank(first!)).toBe(Math.min(...ids.map(rank)));
});

it("is no case that passed, failed as listed, or was not run", async () => {
  const others = [failed(response, { verdict: "pass" }), failed(response, { verdict: "expected-fail" })];
  expect(await begun([...others, failed(loop)])).toBe(loop);
  expect(await begun(others)).toBeUndefined();
});

it("is nothing where the driver never started", async () => {
  expect(await begun([failed(loop)], { start_error: "it exited" })).toBeUndefined();
});

it("is what no stage examines only where nothing else failed", async () => {
  const odd = failed(loop, { variant: "openai-chat/nowhere" });
  expect(await begun([odd, failed(response)])).toBe(response);
  expect(await begun([odd])).toBe(loop);
});
