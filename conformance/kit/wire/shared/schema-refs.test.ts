// Which references of a schema lead nowhere.

import { expect, it } from "vitest";
import { brokenRefs } from "./schema-refs.ts";

const place = { type: "object", properties: { at: { type: "string" } } };

it.each([
  ["a definition", { $defs: { place }, properties: { from: { $ref: "#/$defs/place" } } }],
  ["an older definition", { definitions: { place }, items: { $ref: "#/definitions/place" } }],
  ["a name with a slash", { $defs: { "a/b c": place }, anyOf: [{ $ref: "#/$defs/a~1b%20c" }] }],
  ["the whole schema", { properties: { inner: { $ref: "#" } } }],
  ["a name", { $defs: { place: { $anchor: "place" } }, items: { $ref: "#place" } }],
  ["another document", { items: { $ref: "https://example.com/place.json" } }],
  ["a place of another schema inside", { $defs: { one: { $id: "one", items: { $ref: "#/$defs/two" } } } }],
  ["an example", { default: { $ref: "#/nowhere" } }],
  ["a property that is called so", { properties: { $ref: { type: "string" } } }],
])("%s is there, or let through", (_, schema) => {
  expect(brokenRefs(schema)).toEqual([]);
});

it("a definition that was left out is found, once", () => {
  const from = { $ref: "#/$defs/place" };
  expect(brokenRefs({ properties: { from, to: { items: from } } })).toEqual(["#/$defs/place"]);
});
