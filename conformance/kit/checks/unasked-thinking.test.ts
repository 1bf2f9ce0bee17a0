// Which runs of a driver of level wire say nothing, because they are about thinking that nobody asked for.

import { describe, expect, it } from "vitest";
import type { Observation } from "../observed/observation.ts";
import { curt, oddLoop } from "../testing/odd-loop.ts";
import type { Ways } from "../testing/odd-loop.ts";
import { playSuite } from "../testing/play-suite.ts";
import { unaskedThinking } from "./unasked-thinking.ts";

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
  it("is what it is about: thinking that was asked for, and sent back nowhere, is missed [KIT-34]", () => {
    const seen = (thinking: object) =>
      ({
        driver: { level: "wire" },
        filled: { case: { model: [{ respond: [{ thinking: "Hm.", signature: "c2lnbmVk" }] }] } },
        requests: [{ messages: [], body: { thinking } }],
        nextRequests: [],
        variant: { name: "anthropic-messages/json", seam: "anthropic-messages", transport: "json" },
      }) as unknown as Observation;
    expect(unaskedThinking(seen({ type: "enabled", budget_tokens: 1024 }))).toBeUndefined();
    expect(unaskedThinking(seen({ type: "disabled" }))).toMatch(/asks for no thinking/);
  });
  it("is judged where the loop does ask [KIT-34]", async () => {
    expect(await verdicts("is forgotten", "openai-responses/json")).toEqual(["pass"]);
  });
});
