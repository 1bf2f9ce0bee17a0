// Makes the files of an export: the suite, its fixtures and vectors, the schemas, and a manifest that lists them all.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { packagePath } from "../base/package-root.ts";
import { specVersion } from "../base/protocol.ts";
import { profilesOf } from "../suite/profiles.ts";
import { suiteVersion } from "../suite/suite-version.ts";
import type { Suite } from "../suite/types.ts";
import { parseVectors } from "./parse.ts";
import { renderVectors } from "./render.ts";
import { validateVectors } from "./validate.ts";

/** A file of the export. */
export interface ExportedFile {
  path: string;
  /** What it is, or what an entry of it is, in one sentence. */
  about: string;
  schema?: string;
  /** How many entries a list has. */
  count?: number;
  text: string;
}

/** A list of the export. */
interface ExportedList {
  path: string;
  /** What an entry of it is, in one sentence. */
  about: string;
  /** The schema, below schemas/, of what its entries are or have. Absent where there is none. */
  schema?: string;
  entries: unknown[];
}

/**
 * The files of an export, apart from its manifest. The same suite gives the same bytes.
 * @see KIT-17
 */
export async function exportedFiles(suite: Suite): Promise<ExportedFile[]> {
  const lists = [...(await dataLists(suite)), ...vectorLists(suite), ...fixtureLists(suite)];
  return [
    ...lists.map(({ entries, ...list }) => ({ ...list, count: entries.length, text: lines(entries) })),
    ...schemaFiles(),
  ];
}

/** The manifest: of which versions the files are, and what each of them is. */
export function exportManifest(files: readonly ExportedFile[], { cases }: Suite): string {
  const manifest = {
    export: 1,
    kit: (JSON.parse(read("package.json")) as { version: string }).version,
    spec: specVersion,
    suite: suiteVersion(cases),
    files: files.map(({ text, ...file }) => ({ ...file, sha256: createHash("sha256").update(text).digest("hex") })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
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
function schemaFiles(): ExportedFile[] {
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
