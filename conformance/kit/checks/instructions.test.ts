// When instructions are made beside requests that belong to no turn.

import { describe, expect, it } from "vitest";
import type { Observation } from "../observed/observation.ts";
import { checkEvaluated } from "./instructions.ts";

/** What is broken by requests of which some ask for a summary, where instructions were made before these, counted from 1. */
function broken(requests: ("turn" | "summary")[], made: number[]): (string | undefined)[] {
  const seen = {
    filled: { case: { given: { dynamic_instructions: {} } } },
    requests: requests.map((kind) => ({ messages: [], tools: [], ...(kind === "summary" && { summary: true }) })),
    instructions: made.map((before) => ({ before, text: "" })),
    answers: [],
    disturbed: false,
  } as unknown as Observation;
  return requests.flatMap((_, at) =>
    checkEvaluated({ ...seen, requests: seen.requests.slice(0, at + 1) }, at + 1).map(({ requirement }) => requirement),
  );
}

describe("instructions", () => {
  it.each<[string, number[]]>([
    ["before the summary", [1, 2]],
    ["behind the summary", [1, 3]],
  ])("are made once for a turn before which a summary is asked for: %s [LOOP-74]", (_, made) => {
    expect(broken(["turn", "summary", "turn"], made)).toEqual([]);
  });

  it.each<[string, number[]]>([
    ["not at all", [1]],
    ["twice", [1, 2, 3]],
  ])("are found to be made %s for it [LOOP-74]", (_, made) => {
    expect(broken(["turn", "summary", "turn"], made)).toEqual(["LOOP-74"]);
  });
});
