// Holds the chapters to what complete versions froze, and the published versions to those of the code.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SNAPSHOT_VERSION, SPEC_VERSION } from "../../reference/core/session.ts";
import { JOURNAL_VERSION } from "../../reference/state/journal-records.ts";
import { protocolVersion, specVersion } from "../kit/base/protocol.ts";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import { suiteVersion } from "../kit/suite/suite-version.ts";
import { freeze } from "./freeze.ts";
import { root } from "./schema-files.ts";
import { frozen, readFrozen, stableMistakes } from "./stable-sentences.ts";

const { catalogue, cases } = await sharedSuite();
const { requirements } = catalogue;
const folder = mkdtempSync(join(tmpdir(), "stable-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("the chapters say what every frozen version says", () => {
  expect(stableMistakes(readFrozen(root), requirements)).toEqual([]);
});

describe("a frozen version", () => {
  const version = frozen("1.0", requirements.values());
  const now = requirements.get("LOOP-9")!;
  const changed = (change: object) => new Map(requirements).set("LOOP-9", { ...now, ...change });

  it("has the core, and is kept by the chapters that it was made of", () => {
    expect(version.sentences["LOOP-9"]).toBe(now.text);
    expect(stableMistakes([version], requirements)).toEqual([]);
  });

  it("is broken by another sentence under its id, and by an id that is gone", () => {
    const [mistake] = stableMistakes([version], changed({ text: "The loop MAY do as it likes." }));
    expect(mistake).toMatch(/^spec\/loop\/loop\.md:\d+: LOOP-9 was frozen in 1\.0 as "The loop MUST answer every call/);
    const without = new Map(requirements);
    without.delete("LOOP-9");
    expect(stableMistakes([version], without)).toEqual([
      expect.stringContaining("LOOP-9 was frozen in 1.0 and is gone"),
    ]);
  });

  it("is kept where the chapter says until when the id stood for its sentence", () => {
    const until = `1.0. ${now.text}`;
    expect(stableMistakes([version], changed({ text: "The loop MAY do as it likes.", until }))).toEqual([]);
  });

  it("is written once", () => {
    expect(freeze("1.0", folder)).toMatch(/^froze \d+ sentences/);
    expect(JSON.parse(readFileSync(join(folder, "1.0.json"), "utf8"))).toEqual(version);
    expect(() => freeze("1.0", folder)).toThrow("a frozen version does not change");
    expect(() => freeze("one", folder)).toThrow("a version such as 1.0, not one");
  });
});

it("spec/versions.json has the versions that the code writes and speaks", () => {
  const versions = JSON.parse(readFileSync(join(root, "spec/versions.json"), "utf8")) as Record<
    string,
    { version: string }
  >;
  const written = Object.fromEntries(Object.entries(versions).map(([name, { version }]) => [name, version]));
  expect(written).toEqual({
    spec: specVersion,
    session: SPEC_VERSION,
    snapshot: SNAPSHOT_VERSION,
    journal: JOURNAL_VERSION,
    driver_protocol: String(protocolVersion),
    suite: suiteVersion(cases),
  });
});
