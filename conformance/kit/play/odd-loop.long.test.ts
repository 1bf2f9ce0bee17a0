// The judge is fair: a loop that is odd in everything that is left open breaks nothing essential, in any case, on any provider.

import { expect, it } from "vitest";
import { isWhole } from "../../dev/whole.ts";
import { requirementVerdicts } from "../run/requirement-verdicts.ts";
import { curt, lively, oddLoop } from "../testing/odd-loop.ts";
import type { Ways } from "../testing/odd-loop.ts";
import { playSuite } from "../testing/play-suite.ts";

/** How long a run may be silent on a machine that is busy, in milliseconds. */
const timeoutMs = 60_000;

it.runIf(isWhole).each<[string, Ways]>([
  ["goes on", lively],
  ["ends", curt],
])(
  "keeps every essential requirement, whether it %s where things go wrong",
  async (_, ways) => {
    const { variants, totals } = await playSuite(oddLoop(ways), { level: "essential", timeoutMs });
    const broken = requirementVerdicts(variants).filter(({ outcome }) => outcome === "broken");
    expect(broken.map(({ id, broken: [first] }) => `${id}: ${first!.finding.message}`)).toEqual([]);
    expect(totals.pass).toBeGreaterThan(500);
  },
  300_000,
);
