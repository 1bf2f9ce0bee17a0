// The exported suite: the same bytes each time, and vectors that the reference and the loop in Python agree with.

import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stopTable } from "../../reference/core/stop-table.ts";
import { providers } from "../../reference/providers/registry.ts";
import { replay } from "../../reference/providers/replay/index.ts";
import { repairSession } from "../../reference/state/repair-session.ts";
import { checkSession } from "../../reference/state/check-session.ts";
import type { Fixture, Message, StopReason } from "../../schemas/types.ts";
import { checkGrammar, match } from "../kit/index.ts";
import { providerNames } from "../kit/wire/provider-names.ts";
import { validate } from "../kit/base/validate.ts";
import type { ParseVector } from "../kit/vectors/parse.ts";
import type { RenderVector } from "../kit/vectors/render.ts";
import type { ValidateVector } from "../kit/vectors/validate.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const python = fileURLToPath(new URL("../drivers/python/vectors.py", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-export-"));
const [first, second] = [join(folder, "first"), join(folder, "second")];
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  const runs = await Promise.all([run("export", "--out", first), run("export", "--out", second)]);
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
});

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const read = <Entry>(path: string): Entry[] => JSON.parse(readFileSync(join(first, path), "utf8")) as Entry[];
const mismatches = (expected: unknown, received: unknown) =>
  match(expected, JSON.parse(JSON.stringify(received)), { bindings: new Map(), policies: {} });

describe("the export", () => {
  it("is the same each time, byte for byte [KIT-17]", () => {
    const files = readdirSync(first, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) expect(readFileSync(join(second, file))).toEqual(readFileSync(join(first, file)));
  });
  it("has a manifest that says what is there, and of which schema", () => {
    const { suite, files } = JSON.parse(readFileSync(join(first, "manifest.json"), "utf8")) as {
      suite: string;
      files: { path: string; count?: number; schema?: string; sha256: string }[];
    };
    expect(suite).toMatch(/^\d+\.\d+$/);
    const paths = files.map(({ path }) => path);
    const there = readdirSync(first, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
    expect([...paths, "manifest.json"].sort()).toEqual(there.sort());
    for (const { path, count, schema, sha256 } of files) {
      const bytes = readFileSync(join(first, path));
      expect([path, createHash("sha256").update(bytes).digest("hex")]).toEqual([path, sha256]);
      if (count !== undefined) expect([path, read(path).length]).toEqual([path, count]);
      if (schema !== undefined) expect(paths).toContain(`schemas/${schema.split("#", 1)[0]}`);
    }
  });
  it("has with each schema those that it needs", () => {
    for (const name of readdirSync(join(first, "schemas"))) {
      const needed = readFileSync(join(first, "schemas", name), "utf8").matchAll(/"\$ref": "([^"#]+)/g);
      for (const [, file] of needed) expect([name, existsSync(join(first, "schemas", file!))]).toEqual([name, true]);
    }
  });
  it("takes the place of an earlier one, and of nothing else", async () => {
    const own = join(folder, "own");
    mkdirSync(own);
    writeFileSync(join(own, "cases.json"), "mine");
    const refused = await run("export", "--out", own);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`${own} is not empty, and is no earlier`),
    ]);
    expect(readFileSync(join(own, "cases.json"), "utf8")).toBe("mine");
    expect((await run("export", "--out", join(own, "cases.json"))).stderr).toContain("is not a folder");
    expect((await run("export", "--out", "")).stderr).toContain("--out names no folder");
    const again = join(folder, "again");
    cpSync(first, again, { recursive: true });
    writeFileSync(join(again, "vectors/stale.json"), "[]");
    expect((await run("export", "--out", again)).code).toBe(0);
    expect(existsSync(join(again, "vectors/stale.json"))).toBe(false);
  }, 120_000);
  it("has every case as the kit runs it", () => {
    for (const { id, ...source } of read<{ id: string }>("cases.json"))
      expect([id, validate("Case", source)]).toEqual([id, []]);
  });
});

describe("the reference", () => {
  const call = { signal: new AbortController().signal, onStream: () => undefined, warn: () => undefined };

  it("writes the requests", () => {
    const vectors = read<RenderVector>("vectors/render.json");
    expect(new Set(vectors.map(({ provider }) => provider)).size).toBe(providerNames.length);
    for (const { id, provider, transport = "json", request, expect: wanted } of vectors)
      expect([
        id,
        mismatches(wanted, providers[provider].render(request, { model: "replay", transport }).body),
      ]).toEqual([id, []]);
  });
  it("reads the answers", async () => {
    const vectors = read<ParseVector>("vectors/parse.json");
    expect(vectors.length).toBeGreaterThan(100);
    for (const { id, provider, response, expect: wanted } of vectors) {
      const answer =
        "text" in response ? { writes: [{ text: response.text }] } : { writes: [{ base64: response.base64 }] };
      const { status, headers } = response;
      const fixture = {
        fixture: 1,
        origin: "crafted",
        exchanges: [{ provider, request: null, response: { status, headers, ...answer } }],
      } as unknown as Fixture;
      const received = await replay(fixture).invokeModel({ messages: [], tools: [], model: "replay" }, call);
      expect([id, mismatches(wanted, received)]).toEqual([id, []]);
    }
  });
  it("tells what is valid", () => {
    for (const vector of read<ValidateVector>("vectors/validate.json")) {
      const problems =
        "events" in vector
          ? checkGrammar(vector.events)
          : checkSession({ spec_version: "1.0", id: "s", messages: vector.messages }, { toStart: true });
      expect([vector.id, problems.length === 0]).toEqual([vector.id, vector.valid]);
    }
  });
  it("repairs what is broken", () => {
    const vectors = read<{ id: string; messages: Message[]; repaired: unknown[]; changes: unknown[] }>(
      "vectors/repair.json",
    );
    for (const { id, messages, repaired, changes } of vectors) {
      const found = repairSession({ spec_version: "1.0", id: "s", messages });
      expect([id, mismatches(repaired, found.session.messages), mismatches(changes, found.changes)]).toEqual([
        id,
        [],
        [],
      ]);
    }
  });
  it("follows the stop table", () => {
    const vectors = read<{ stop_reason: StopReason; has_calls: boolean; expect: unknown }>("vectors/stop-table.json");
    for (const { stop_reason, has_calls, expect: wanted } of vectors)
      expect(stopTable[stop_reason][has_calls ? "calls" : "no_calls"]).toEqual(wanted);
    expect(vectors.length).toBe(2 * Object.keys(stopTable).length);
  });
});

const hasPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0;

describe.skipIf(!hasPython)("the loop in Python", () => {
  it("agrees with the vectors of what it has, without the kit", () => {
    const { status, stdout, stderr } = spawnSync("python3", ["-B", python, join(first, "vectors")], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^render \d{2,} agree\nparse \d{3} agree\nvalidate \d{2} agree\nstop-table \d{2} agree\n$/);
  });
});
