// Every case, walked through: no transition without a reason, no reason that is never given, no line of the diagram that is never lit.

import { expect, it } from "vitest";
import type { Case } from "../../../schemas/types.ts";
import { loadSuite } from "../../kit/suite/suite.ts";
import { runSuite } from "../../kit/run/runner.ts";
import { edges } from "./machine.ts";
import { reasons } from "./reasons.ts";
import type { Reason } from "./reasons.ts";
import { transitionsOf } from "./transitions.ts";

/** What no case of the suite brings about: that the loop breaks while it calls the model. */
const neverLit = ["calling_model>done"];
/** What a refused second run tells is left out. */
const neverGiven = ["LOOP-72"];
/** Calls without ids, and half of an answer, come only over the wire. */
const onWire = ["SESSION-10", "CANCEL-5"];
const streamed = "openai-chat/sse";

/** The end of a process is no transition: the loop that goes on begins in the state in which the other one was. */
function endsNoProcess({ features = [] }: Case): boolean {
  return !features.includes("journal");
}

it("is explained whole", { timeout: 300_000 }, async () => {
  const suite = await loadSuite();
  const { report } = await runSuite({
    driver: "reference",
    suite,
    select: { variants: ["generic", streamed] },
    only: ({ entry, variant }) =>
      endsNoProcess(entry.case) && (variant.name === "generic" || onWire.includes(entry.case.requires[0]!)),
    details: "all",
  });
  const cases = new Map(suite.cases.map(({ id, case: source }) => [id, source]));
  const lit = new Set<string>();
  const given = new Set<string>();
  const unexplained: string[] = [];
  for (const { case: id, events = [] } of report.variants) {
    const { given: setup } = cases.get(id)!;
    const { options } = setup;
    const instructions = typeof setup.instructions === "string" ? setup.instructions : undefined;
    const trace = {
      title: id,
      notes: [],
      before: setup.messages,
      events: events.map(({ event }) => event),
      ...(options && { options }),
      ...(instructions !== undefined && { instructions }),
    };
    for (const { from, to, decided, isUnfinished } of transitionsOf(trace)) {
      const edge = `${from.phase}>${to.phase}`;
      if (!isUnfinished) lit.add(edge);
      if (decided.length === 0) unexplained.push(`${id}: ${edge}`);
      for (const { what, requirement } of decided) given.add(`${requirement} ${what}`);
    }
  }
  expect(unexplained).toEqual([]);
  expect(Object.keys(edges).filter((edge) => !lit.has(edge))).toEqual(neverLit);
  expect([...lit].filter((edge) => !(edge in edges))).toEqual([]);
  const isGiven = ([, requirement, what]: Reason) =>
    [...given].some((line) => line.startsWith(`${requirement} ${what}`));
  expect(reasons.filter((reason) => !isGiven(reason)).map(([, requirement]) => requirement)).toEqual(neverGiven);
});
