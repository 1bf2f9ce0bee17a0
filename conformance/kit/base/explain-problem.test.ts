// Shows that the compiled validators and the interpreter that explains agree, also on values that are slightly wrong.

import fc from "fast-check";
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { explain } from "./explain-problem.ts";
import { packagePath } from "./package-root.ts";
import { schemaRefs, type SchemaType } from "./schema-refs.ts";
import { isValid } from "./validate.ts";

const examples = (Object.keys(schemaRefs) as SchemaType[]).flatMap((type) => {
  const folder = packagePath("schemas/examples", type);
  return readdirSync(folder).map((name) => ({ type, text: readFileSync(`${folder}/${name}`, "utf8") }));
});

const oddities = [null, true, 0, -1, 1.5, "", "x", [], [null], {}, { type: "x" }];

test("they agree on examples with one value replaced, removed or added", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...examples),
      fc.nat(),
      fc.constantFrom(...oddities),
      fc.nat(2),
      ({ type, text }, at, odd, how) => {
        const value: unknown = JSON.parse(text);
        const places = containers(value);
        const place = places[at % places.length]!;
        const keys = Object.keys(place);
        const key = keys[at % Math.max(keys.length, 1)];
        if (how === 0 && key !== undefined) place[key] = odd;
        else if (how === 1 && key !== undefined && !Array.isArray(place)) delete place[key];
        else if (Array.isArray(place)) place.push(odd);
        else place["added"] = odd;
        expect({ type, value, valid: explain(type, value).length === 0 }).toEqual({
          type,
          value,
          valid: isValid(type, value),
        });
      },
    ),
    { numRuns: 400 },
  );
});

test("too many of something are said to be too many", () => {
  const action = { when: { requests: 1 }, do: { steer: "x", release: "y" } };
  const messages = explain("Case", { actions: [action] }).map(({ pointer, message }) => `${pointer}: ${message}`);
  expect(messages).toContain("/actions/0/do: expected at most 1, got an object with steer, release");
});

/** Every object and array in a value. */
function containers(value: unknown): Record<string, unknown>[] {
  if (value === null || typeof value !== "object") return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(containers)];
}
