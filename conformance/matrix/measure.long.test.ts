// A toy peer is measured as every other: installed once, played, and red only where its script shows the same in the same run.

import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MatrixRow } from "../../schemas/types.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { loadSuite } from "../kit/index.ts";
import type { Suite } from "../kit/index.ts";
import { fingerprintOf, measure } from "./measure.ts";
import type { MeasureOptions } from "./measure.ts";
import { sources } from "./rows.ts";
import { makeToy, script } from "./testing/toy.ts";
import type { ToyOptions } from "./testing/toy.ts";

const cache = mkdtempSync(join(tmpdir(), "agent-loop-cache-"));
const roots: string[] = [];
let suite: Suite;

beforeAll(async () => {
  suite = await loadSuite();
});
afterAll(() => [cache, ...roots].forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function toy(options?: ToyOptions) {
  const root = makeToy(options);
  roots.push(root);
  return { root, source: sources(root)[0]! };
}

function optionsFor(root: string, more: Partial<MeasureOptions> = {}): MeasureOptions {
  const kit = [process.execPath, packagePath("conformance/cli/bin.js")];
  const cases = ["next-message/after-an-answer"];
  return { suite, commandLine: kit, cache, seed: 7, jobs: 2, timeoutMs: 60_000, cases, root, ...more };
}

describe("a peer that forgets the conversation", () => {
  const scripts = {
    "SESSION-27-forgets.mjs": script("SESSION-27", 1),
    "SESSION-26-mended.mjs": script("SESSION-26, LOOP-9", 0, "not seen"),
    "SESSION-28-is-broken-itself.mjs": script("SESSION-28", 3),
    "_part.mjs": "export {};\n",
  };
  let row: MatrixRow;
  let root: string;

  beforeAll(async () => {
    const made = toy({ scripts, disputes: "We <b>differ</b>.\n" });
    root = made.root;
    row = await measure(made.source, optionsFor(root));
  }, 120_000);

  it("is red where a script shows the same", () => {
    expect(row.unavailable).toBeUndefined();
    expect(row.cells!["SESSION-27"]).toMatchObject({
      outcome: "broken",
      providers: { "openai-chat": "broken" },
      evidence: { case: "next-message/after-an-answer", variant: "openai-chat/json" },
      scripts: [
        { file: "conformance/peers/toy/repro/SESSION-27-forgets.mjs", shows: true, exit: 1, output: "It forgot." },
      ],
    });
    const { exchanges, command } = row.cells!["SESSION-27"]!.evidence!;
    expect(exchanges!.at(-1)!.request).toMatch(/^POST \/v1\/chat\/completions\n\{/);
    expect(command).toContain("--driver conformance/peers/toy --case next-message/after-an-answer");
  });
  it("keeps what a script says that showed nothing, or was broken itself, beside a cell that is not red", () => {
    expect(row.cells!["LOOP-9"]).toMatchObject({ outcome: "not_seen", scripts: [{ shows: false, exit: 0 }] });
    expect(row.cells!["SESSION-28"]).toMatchObject({ scripts: [{ shows: false, exit: 3 }] });
    expect(row.cells!["SESSION-28"]!.outcome).not.toBe("broken");
  });
  it("says what became of the next message, with which provider, and what is disputed", () => {
    expect(row.next).toEqual({
      "after-an-answer": {
        "openai-chat/json": {
          outcome: "broken",
          requirements: expect.arrayContaining(["SESSION-27"]),
          sentence: expect.any(String),
        },
        "openai-chat/sse": expect.objectContaining({ outcome: "not_seen" }),
      },
    });
    expect([row.providers, row.disputes]).toEqual([["openai-chat"], "We <b>differ</b>."]);
  });
  it("is not installed again as long as nothing of it decides what is installed", async () => {
    await measure(sources(root)[0]!, optionsFor(root));
    const [folder] = readdirSync(cache).filter((name) => name.startsWith("toy-"));
    expect(readFileSync(join(cache, folder!, "installed.txt"), "utf8")).toBe("x");
    expect(existsSync(join(root, "conformance/peers/toy/node_modules"))).toBe(false);
  });
});

it("is not red without a script", async () => {
  const { root, source } = toy();
  const row = await measure(source, optionsFor(root));
  expect(row.cells!["SESSION-27"]).toMatchObject({ outcome: "unconfirmed", broken: 1 });
  expect(Object.values(row.cells!).filter(({ outcome }) => outcome === "broken")).toEqual([]);
});

describe("what cannot be measured says why", () => {
  it.each([
    [{ unavailable: "it fetches its engine at installation" }, "it fetches its engine at installation"],
    [{ needs: ["node", "no-such-program"] }, "no-such-program is not on this machine"],
    [{ install: [["node", "-e", "console.error('no such version'); process.exit(3)"]] }, "failed: no such version"],
  ])("%j", async (peer, why) => {
    const { root, source } = toy({ peer });
    const row = await measure(source, optionsFor(root));
    expect(row.unavailable).toContain(why);
    expect(row.cells).toBeUndefined();
  });
  it("a driver that does not start", async () => {
    const { root, source } = toy({ scripts: {} });
    rmSync(join(root, "conformance/peers/toy/driver.ts"));
    const row = await measure(source, optionsFor(root));
    expect(row.unavailable).toContain("did not start");
  });
  it("a folder that should have it installed, and has not", async () => {
    const { root, source } = toy();
    const row = await measure(source, optionsFor(root, { installed: join(root, "conformance/peers") }));
    expect(row.unavailable).toMatch(/nothing is installed in .*toy/);
  });
});

it("has a fingerprint that a changed script changes", () => {
  const one = toy({ scripts: { "LOOP-9-x.mjs": script("LOOP-9", 1) } });
  const other = toy({ scripts: { "LOOP-9-x.mjs": script("LOOP-9", 0) } });
  const again = toy({ scripts: { "LOOP-9-x.mjs": script("LOOP-9", 1) } });
  expect(fingerprintOf(one.source, one.root)).toBe(fingerprintOf(again.source, again.root));
  expect(fingerprintOf(one.source, one.root)).not.toBe(fingerprintOf(other.source, other.root));
});

it.each(["reference", "ejected"])(
  "the loop of this project called %s comes through the same door, and keeps it",
  async (name) => {
    const source = sources().find(({ about }) => about.id === `own/${name}`)!;
    const { root: _, ...options } = optionsFor("", { cases: ["next-message/tool-throws"] });
    const row = await measure(source, options);
    expect(row.unavailable).toBeUndefined();
    expect(row.providers).toEqual(["anthropic-messages", "gemini", "openai-chat", "openai-responses"]);
    expect(Object.values(row.cells!).filter(({ outcome }) => outcome === "unconfirmed")).toEqual([]);
    expect(row.cells!["SESSION-28"]!.outcome).toBe("kept");
  },
  120_000,
);
