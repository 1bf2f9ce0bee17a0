// A fault is seen by the checks that can see it, and by no others.

import { afterAll, expect, test } from "vitest";
import { loadSuite } from "../../kit/suite/suite.ts";
import { root } from "../schema-files.ts";
import { findIdle } from "./idle-cases.ts";
import { copyReference } from "./reference-copy.ts";
import { tryMutant } from "./try-mutant.ts";

const suite = await loadSuite();
const copy = copyReference(root);
afterAll(() => copy.remove());
const file = "reference/core/session.ts";
const attempt = (replace: string, by: string, requirement = "LOOP-4", where = file) => {
  const mutant = { id: "a-fault", requirement, seen: "Something is wrong.", file: where, replace, by };
  return copy.broken(mutant, () => tryMutant(mutant, copy.driver, suite));
};

test("leaves a case idle exactly if it does not see the fault", async () => {
  const withoutTools = suite.cases.find(({ id }) => id === "stop/end-turn-text")!;
  const blind = { ...withoutTools, id: "loop/blind", case: { ...withoutTools.case, requires: ["LOOP-4"] } };
  const both = { ...suite, cases: [...suite.cases, blind] };
  const mutant = { id: "a-fault", requirement: "LOOP-4", seen: "Something is wrong.", file, replace: "", by: "" };
  const search = (replace: string, by: string, known: string[] = []) =>
    findIdle(both, [{ ...mutant, replace, by }], new Set(known), async ([one], use) =>
      copy.broken(one!, () => use(one!, copy)),
    );
  const seeing = "loop/tools-in-every-request";
  expect(await search("return { messages, tools,", "return { messages, tools: [],")).toEqual([blind.id]);
  expect(await search("return { messages, tools,", "return { tools, messages,")).toEqual([blind.id, seeing]);
  expect(await search("return { messages, tools,", "return { tools, messages,", [seeing])).toEqual([blind.id]);
});

test("sees half a letter that is sent to a provider that takes it", async () => {
  const whole = 'if (typeof value === "string") return value.toWellFormed();';
  const half = 'if (typeof value === "string") return value;';
  const { red } = await attempt(whole, half, "PROVIDER-12", "reference/support/well-formed.ts");
  const taken = red.filter(({ variant }) => variant.startsWith("gemini/")).flatMap(({ failures = [] }) => failures);
  const message = expect.stringContaining("has half of a surrogate pair") as string;
  expect(taken).toContainEqual(expect.objectContaining({ requirement: "PROVIDER-12", message }));
});

test("tells a fault that a check sees from one that none sees, and from a reference that does not run", async () => {
  const killed = await attempt("return { messages, tools,", "return { messages, tools: [],");
  expect(killed).toMatchObject({ verdict: "killed", killers: ["loop/tools-in-every-request"] });
  const survived = await attempt("return { messages, tools,", "return { tools, messages,");
  expect(survived).toMatchObject({
    verdict: "survived",
    reason: expect.stringMatching(/variants of 1 cases of LOOP-4/),
  });
  const broken = await attempt("return { messages, tools,", "return { messages; tools,");
  expect(broken).toMatchObject({ verdict: "broken", reason: expect.stringMatching(/^it does not start/) });
  const throwing = await attempt("return { messages, tools,", "process.abort(); return { messages, tools,");
  expect(throwing).toMatchObject({ verdict: "broken", reason: expect.stringMatching(/^it does not run at all/) });
});
