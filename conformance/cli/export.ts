// The command `export`: writes the suite and vectors for pure functions as JSON, for test runners of other languages.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { loadSuite, profilesOf, suiteVersion } from "../kit/index.ts";
import type { Suite } from "../kit/index.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { specVersion } from "../kit/base/protocol.ts";
import { parseVectors } from "../kit/vectors/parse.ts";
import { renderVectors } from "../kit/vectors/render.ts";
import { validateVectors } from "../kit/vectors/validate.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { writeWhole } from "./shared/write-file.ts";

/** A list of the export. */
interface ExportedList {
  path: string;
  /** What an entry of it is, in one sentence. */
  about: string;
  /** The schema, below schemas/, of what its entries are or have. Absent where there is none. */
  schema?: string;
  entries: unknown[];
}

const manifestName = "manifest.json";
/** The folders of an export. What an earlier one had in them, a later one may not have. */
const ownFolders = ["fixtures", "schemas", "vectors"];

/**
 * Writes everything into a folder that is new, empty or an earlier export; the same suite gives the same bytes.
 * @throws UsageError if the folder is none of these, or cannot be written
 * @see KIT-17
 */
export async function exportSuite({ out, suite: version }: { out: string; suite?: string }): Promise<void> {
  const suite = await loadSuite(version === undefined ? {} : { version });
  const lists = [...(await dataLists(suite)), ...vectorLists(suite), ...fixtureLists(suite)];
  const files = [
    ...lists.map(({ entries, ...list }) => ({ ...list, count: entries.length, text: lines(entries) })),
    ...schemaFiles(),
  ];
  clear(out);
  for (const { path, text } of files) writeWhole(join(out, path), text);
  const manifest = {
    export: 1,
    kit: (JSON.parse(read("package.json")) as { version: string }).version,
    spec: specVersion,
    suite: suiteVersion(suite.cases),
    files: files.map(({ text, ...file }) => ({ ...file, sha256: createHash("sha256").update(text).digest("hex") })),
  };
  // The last of all: a folder that has it is whole.
  writeWhole(join(out, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  const count = lists.reduce((sum, { entries }) => sum + entries.length, 0);
  console.log(`${count} entries in ${files.length + 1} files: ${out}`);
}

/** Makes room for an export, and takes away nothing but an earlier one. */
function clear(out: string): void {
  if (out === "") throw new UsageError("--out names no folder; give the name of a new one");
  if (!existsSync(out)) return;
  if (!statSync(out).isDirectory()) throw new UsageError(`${out} is not a folder; name a new one`);
  if (readdirSync(out).length === 0) return;
  if (!isExport(join(out, manifestName)))
    throw new UsageError(`${out} is not empty, and is no earlier export; name a new folder, or empty this one`);
  for (const own of [manifestName, ...ownFolders]) rmSync(join(out, own), { recursive: true, force: true });
}

function isExport(manifest: string): boolean {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { export?: unknown }).export === 1;
  } catch {
    return false;
  }
}

async function dataLists(suite: Suite): Promise<ExportedList[]> {
  return [
    {
      path: "cases.json",
      about: "A case of the suite, with its id.",
      schema: "case.schema.json",
      entries: suite.cases.map(({ id, case: source }) => ({ id, ...source })),
    },
    {
      path: "requirements.json",
      about: "A requirement of the spec.",
      entries: [...suite.catalogue.requirements.values()],
    },
    {
      path: "profiles.json",
      about: "A profile and the variants that it requires.",
      entries: await profilesOf(suite),
    },
  ];
}

function vectorLists({ cases }: Suite): ExportedList[] {
  return [
    {
      path: "vectors/render.json",
      about: "A generic request, and what the body for a provider must have.",
      schema: "model.schema.json#/$defs/ModelRequest",
      entries: renderVectors(cases),
    },
    {
      path: "vectors/parse.json",
      about: "An answer of a provider, and the response that it is.",
      schema: "model.schema.json#/$defs/ModelResponse",
      entries: parseVectors(cases),
    },
    {
      path: "vectors/validate.json",
      about: "The messages of a session or the events of a run, and whether they are valid.",
      schema: "session.schema.json",
      entries: validateVectors(cases),
    },
    {
      path: "vectors/repair.json",
      about: "The messages of a broken session, and what a repair makes of them.",
      schema: "session.schema.json",
      entries: JSON.parse(read("spec/repairs.json")) as unknown[],
    },
    {
      path: "vectors/stop-table.json",
      about: "What follows a response, by its stop reason and whether it has calls.",
      entries: stopVectors(),
    },
  ];
}

function stopVectors(): unknown[] {
  const table = JSON.parse(read("spec/stop-table.json")) as Record<string, { no_calls: object; calls: object }>;
  return Object.entries(table).flatMap(([stop_reason, { no_calls, calls }]) => [
    { id: `${stop_reason} without calls`, stop_reason, has_calls: false, expect: no_calls },
    { id: `${stop_reason} with calls`, stop_reason, has_calls: true, expect: calls },
  ]);
}

/** What cases name in `raw`. */
function fixtureLists({ cases }: Suite): ExportedList[] {
  const named = cases.flatMap(({ case: { model } }) => model.flatMap(({ raw }) => (raw === undefined ? [] : [raw])));
  const paths = [...new Set(named.map((name) => name.split("#", 1)[0]!))].sort();
  return paths.map((path) => ({
    path: `fixtures/${path}.json`,
    about: "Traffic of a provider, of which cases send an exchange.",
    schema: "fixture.schema.json",
    entries: [JSON.parse(read(`fixtures/${path}.json`)) as unknown],
  }));
}

/** The schemas that the lists name, and those that they need in turn. */
function schemaFiles(): { path: string; about: string; text: string }[] {
  const names = readdirSync(packagePath("schemas")).filter((name) => name.endsWith(".schema.json"));
  return names.sort().map((name) => ({
    path: `schemas/${name}`,
    about: "A schema of the spec, JSON Schema 2020-12.",
    text: read(`schemas/${name}`),
  }));
}

/** A list with one entry to a line, so that the difference of two exports can be read. */
function lines(entries: readonly unknown[]): string {
  return `[\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n]\n`;
}

function read(path: string): string {
  return readFileSync(packagePath(path), "utf8");
}
