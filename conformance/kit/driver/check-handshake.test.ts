// Shows that a driver that introduces itself wrongly is told which sentence of the spec it breaks.

import { expect, it } from "vitest";
import type { InitializeResult, Manifest } from "../../../schemas/types.ts";
import { readCatalogue } from "../suite/catalogue.ts";
import { changedIntroduction, wrongIntroduction } from "./check-handshake.ts";
import { packageRoot } from "../base/package-root.ts";
import { validate } from "../base/validate.ts";

const implementation = { name: "mine", version: "1", language: "c" };

const wrong = (declared: Partial<InitializeResult>, written: Partial<Manifest> = {}) =>
  wrongIntroduction(
    { protocol: "1", implementation, seams: ["generic"], ...declared } as InitializeResult,
    readCatalogue(packageRoot()),
    written,
  );

it("says nothing where names are known, and only one of the two says something [KIT-38]", () => {
  expect(wrong({ features: ["cancel"] }, { name: "mine" })).toBeUndefined();
  expect(wrong({ features: ["cancel", "com.example.sings"] })).toBeUndefined();
});

it("sees in what a driver that was started again says something else, whatever the order of its lists [KIT-42]", () => {
  const first = { protocol: 1, implementation, seams: ["generic"], features: ["cancel", "stop"] } as InitializeResult;
  expect(changedIntroduction(first, { ...first, features: ["stop", "cancel"] })).toBeUndefined();
  expect(changedIntroduction(first, { ...first, features: ["stop"] })).toBe(
    'it says features ["stop"] where it said ["cancel","stop"] when it was started first',
  );
  expect(changedIntroduction(first, { ...first, reports: [] })).toMatch(/reports \[\] where it said undefined/);
});

it("takes a seam with a dot, and no other that nobody knows [KIT-39]", () => {
  const seams = ["generic", "com.example.models"] as InitializeResult["seams"];
  expect(wrong({ seams })).toBeUndefined();
  const handshake = (...named: string[]) => ({ protocol: 1, implementation, seams: named });
  expect(validate("InitializeResult", handshake("generic", "com.example.models"))).toEqual([]);
  expect(validate("InitializeResult", handshake("generic", "models"))).not.toEqual([]);
});

it.each([
  [
    "a feature that the spec does not have",
    "DRIVER-2",
    wrong({ features: ["cancle"] }),
    /cancle, .* do you mean cancel\?/,
  ],
  [
    "a policy that the spec does not have",
    "DRIVER-1",
    wrong({ policies: { mood: "good" } }),
    /good for the policy mood/,
  ],
  ["another name than in its agent-loop.json", "DRIVER-17", wrong({}, { name: "ours" }), /name "ours".*"mine"/],
])("says which requirement is broken by %s [DRIVER-17]", (_, requirement, declared, message) => {
  expect(declared).toEqual({ requirement, message: expect.stringMatching(message) as unknown });
});
