// A case asserts nothing that no requirement says: spec/spoken-fields.json says which one speaks of which field.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { Case } from "../../schemas/types.ts";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import { assertedFields, assertedKeys } from "./asserted-fields.ts";
import { root } from "./schema-files.ts";

interface SpokenField {
  field: string;
  /** Requirements that speak of it in every run, of every loop that declares their features. */
  every_run?: string[];
  /** Requirements that speak of it where a case is about them. */
  named?: string[];
}

const { fields } = JSON.parse(readFileSync(join(root, "spec/spoken-fields.json"), "utf8")) as { fields: SpokenField[] };
const spoken = new Map(fields.map((one) => [one.field, one]));
const {
  cases,
  catalogue: { requirements },
} = await sharedSuite();

/** The entry of a field, or of the nearest one around it. */
function entryOf(field: string): SpokenField | undefined {
  const around = field.lastIndexOf(".");
  return spoken.get(field) ?? (around < 0 ? undefined : entryOf(field.slice(0, around)));
}

/** The fields that a case asserts and that none of its requirements speaks of. */
function unspoken({ requires, features = [], expect: asserted }: Case): string[] {
  const holds = (id: string) => {
    const feature = requirements.get(id)?.feature;
    return feature === undefined || features.includes(feature);
  };
  return assertedFields(asserted).filter((field) => {
    const { every_run = [], named = [] } = entryOf(field) ?? { field };
    return !every_run.some(holds) && ![...every_run, ...named].some((id) => requires.includes(id));
  });
}

it("every field that a case asserts is one that a requirement of it, or of every run, speaks of", () => {
  const wrong = cases.flatMap((one) => unspoken(one.case).map((field) => `${one.id} asserts ${field}`));
  expect(wrong, "name the requirement that says it under `requires`, or write the sentence").toEqual([]);
});

test("an entry names requirements that there are, and a field that is asserted", () => {
  const ids = fields.flatMap(({ every_run = [], named = [] }) => [...every_run, ...named]);
  expect(ids.filter((id) => !requirements.has(id))).toEqual([]);
  const used = new Set(cases.flatMap((one) => assertedFields(one.case.expect).map((field) => entryOf(field)?.field)));
  expect(fields.filter(({ field }) => !used.has(field)).map(({ field }) => field)).toEqual([]);
});

describe("the fields of a provider's format", () => {
  const words = (text: string) => text.match(/[A-Za-z_]\w*/g) ?? [];
  const chapters = new Map(
    ["anthropic-messages", "openai-chat", "openai-responses"].map((provider) => {
      const text = readFileSync(join(root, `spec/loop/providers/${provider}.md`), "utf8");
      return [provider, new Set([...text.matchAll(/```[\s\S]*?```|`[^`]+`/g)].flatMap(([code]) => words(code)))];
    }),
  );

  it.each([...chapters])("stand in the chapter of %s, or come from the case itself", (provider, known) => {
    const wrong = cases.flatMap(({ id, case: { given, model, expect: asserted } }) => {
      const own = new Set(words(JSON.stringify([given, model])));
      const parts = [asserted, ...(asserted.one_of ?? []).map((one) => one.expect)];
      const keys = parts.flatMap(({ wire }) => assertedKeys(wire?.[provider]));
      return [...new Set(keys)].filter((key) => !known.has(key) && !own.has(key)).map((key) => `${id} asserts ${key}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe("the check", () => {
  const example = { requires: ["LOOP-61"], features: ["tool_choice"] } as unknown as Case;

  test.each<[Case["expect"], string[]]>([
    [{ session: [{ role: "user", synthetic: true, content: { $match: "work" } }] }, ["message.follow_up.content"]],
    [{ session: [{ role: "user", synthetic: true, content: { $type: "string" } }] }, []],
    [{ result: { context: { who: "Ann" } } }, ["result.context"]],
    [{ events: { $contains: [{ type: "retry", attempt: 1 }] } }, ["event.retry.attempt"]],
    [{ result: { snapshot: { options: {} } } }, ["result.snapshot.options"]],
    [{ status: "completed", request_count: 1, result: { turns: 1 } }, []],
    [{ aborted: ["work"] }, ["aborted"]],
  ])("finds in %j what nobody says: %j", (asserted, found) => {
    expect(unspoken({ ...example, expect: asserted })).toEqual(found);
  });

  test("reads the keys of a body through matchers, and not those of data", () => {
    const body = [
      { tools: { $contains: [{ parameters: { city: 1 } }] }, stop: { $absent: true }, strict: { $not: true } },
    ];
    expect(assertedKeys(body)).toEqual(["tools", "parameters", "strict"]);
  });
});
