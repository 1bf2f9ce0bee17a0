// Random runs whose session is compacted all the time: whatever happens to them, events rebuild the session, and providers take it.

import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";

import { rebuildSession } from "../../../conformance/kit/observed/session-from-events.ts";
import { ofPairing } from "../../testing/invariants.ts";
import { live, warmUp } from "../../testing/live.ts";
import { refusedBy } from "../../testing/provider-rules.ts";
import { randomScenario } from "../../testing/random-scenario.ts";
import type { Scenario } from "../../testing/scenario.ts";
import type { CompactionOptions, Message } from "../../../schemas/types.ts";

vi.mock("../../core/agent-loop.ts", async (original) => {
  const { watchable } = await import("../../testing/record-states.ts");
  return watchable(await original());
});

/** What was said before each run: there is something to make smaller. */
const long = "A long text. ".repeat(40).trim();
const before: Message[] = ["x", "y"].flatMap((id): Message[] => [
  { role: "user", content: `Save ${id}.` },
  { type: "thinking", content: long },
  { type: "tool_call", id, name: "write", input: { text: long } },
  { type: "tool_result", id, output: long },
  { role: "assistant", content: "It is saved." },
]);

const compaction: fc.Arbitrary<CompactionOptions> = fc.record({
  strategy: fc.constantFrom("truncate_old", "summarize"),
  at_tokens: fc.constantFrom(1, 5, 15),
  keep_last_turns: fc.integer({ min: 1, max: 2 }),
  max_result_chars: fc.constantFrom(null, 200),
});

/** How many compactions there were, in all runs. */
let compactions = 0;

async function wrongWith(scenario: Scenario): Promise<string[]> {
  const { segments, world } = await live(scenario);
  return segments.flatMap(({ kind, begun, events, session, result }) => {
    compactions += events.filter(({ type }) => type === "compaction").length;
    const rebuilt = rebuildSession(begun, events);
    const isWhole = JSON.stringify(rebuilt.messages) === JSON.stringify(session.messages);
    const isClosed = result.status !== "suspended" && result.error?.kind !== "invalid_session" && kind !== "refused";
    return [
      ...(isWhole ? [] : ["the events do not rebuild the session"]),
      ...(isClosed ? [...ofPairing(session), ...refusedBy(session, world.tools)] : []),
      ...(result.error?.kind === "internal" && !hasBroken(scenario) ? [result.error.message] : []),
    ];
  });
}

/** Whether something in the world throws, which a run tells as an error of its own. */
function hasBroken({ answers, condition }: Scenario): boolean {
  return condition?.throwsAt !== undefined || answers.some(({ throws }) => throws);
}

beforeAll(warmUp);

it("compacted runs hold what other runs hold", async () => {
  await fc.assert(
    fc.asyncProperty(randomScenario, compaction, async (scenario, options) => {
      const begin = [...before, ...scenario.begin];
      const compacted = { ...scenario, begin, options: { ...scenario.options, compaction: options } };
      expect(await wrongWith(compacted)).toEqual([]);
    }),
    { numRuns: 300, seed: 3 },
  );
  expect(compactions).toBeGreaterThan(400);
}, 120_000);
