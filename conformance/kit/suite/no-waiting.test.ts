// No verdict depends on how fast a machine is: a case in which a time limit runs out moves the clock itself.

import { expect, it } from "vitest";
import type { Case } from "../../../schemas/types.ts";
import { toolsOf } from "./case-agents.ts";
import { sharedSuite } from "../testing/shared-suite.ts";

/** No run of a case takes so long, in milliseconds. */
const unreachedMs = 60_000;

/** The time limits of a case that could run out while it is played. */
function limitsWithin({ given }: Case): [name: string, ms: number][] {
  const options = Object.entries(given.options ?? {}).filter(([name]) => /timeout|deadline|grace/.test(name));
  const tools = toolsOf(given).map(({ name, timeout_ms }) => [name, timeout_ms] as const);
  return [...options, ...tools].filter(
    (limit): limit is [string, number] => typeof limit[1] === "number" && limit[1] < unreachedMs,
  );
}

function movesTheClock({ actions = [] }: Case): boolean {
  return actions.some(({ do: act }) => typeof act === "object" && act.advance_ms !== undefined);
}

it("has no case that waits until a time is over", async () => {
  const { cases } = await sharedSuite();
  const timed = cases.filter(({ case: source }) => limitsWithin(source).some(([, ms]) => ms > 0));
  expect(timed.length).toBeGreaterThan(20);
  expect(timed.filter(({ case: source }) => !movesTheClock(source)).map(({ id }) => id)).toEqual([]);
});

it("demands a clock that can be moved where a case moves it", async () => {
  const { cases } = await sharedSuite();
  const moving = cases.filter(({ case: source }) => movesTheClock(source));
  expect(
    moving.filter(({ case: { features = [] } }) => !features.includes("clock.virtual")).map(({ id }) => id),
  ).toEqual([]);
});
