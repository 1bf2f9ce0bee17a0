// Which runs of a driver of level wire say nothing, because they are about thinking that nobody asked for.

import { describe, expect, it } from "vitest";
import { curt, oddLoop } from "../testing/odd-loop.ts";
import type { Ways } from "../testing/odd-loop.ts";
import { playSuite } from "../testing/play-suite.ts";

/** How long a run may be silent on a machine that is busy, in milliseconds. */
const timeoutMs = 60_000;

async function verdicts(thinking: Ways["thinking"], variant: string): Promise<string[]> {
  const select = { cases: ["providers/signed-thinking-goes-back"], variants: [variant] };
  const { variants } = await playSuite(oddLoop({ ...curt, thinking }), { level: "essential", timeoutMs, select });
  return variants.map(({ verdict, reason }) => [verdict, reason].filter(Boolean).join(": "));
}

describe("thinking that nobody asked for", () => {
  it("is not missed where it is forgotten [KIT-34]", async () => {
    const why = "not-applicable: the loop asks for no thinking, so that its provider would send none";
    expect(await verdicts("is forgotten", "anthropic-messages/json")).toEqual([why]);
  });
  it.each(["anthropic-messages/json", "openai-responses/json"])(
    "is judged where it goes back, on %s [KIT-34]",
    async (variant) => {
      expect(await verdicts("goes back", variant)).toEqual(["pass"]);
    },
  );
  it("is judged where the loop does ask [KIT-34]", async () => {
    expect(await verdicts("is forgotten", "openai-responses/json")).toEqual(["pass"]);
  });
});
