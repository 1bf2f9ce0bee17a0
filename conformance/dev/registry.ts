// Reads the registry of names with a dot, one page an entry, and says which page lacks what a reader needs.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isExtension } from "../kit/base/extension-name.ts";
import { root } from "./schema-files.ts";

/** Where a name may stand; the folders of the registry. */
export const kinds = [
  "stop-reason",
  "outcome",
  "status",
  "error-kind",
  "event",
  "message",
  "part",
  "field",
  "option",
  "feature",
  "provider",
] as const;

/** The headings of a page, in their order. */
const headings = ["Owner", "Form", "A reader that does not know it", "Written by", "State"];

/** A page of the registry. */
export interface RegistryEntry {
  kind: string;
  name: string;
  text: string;
}

/** Every entry, by kind and name. */
export function readEntries(folder = join(root, "spec/registry")): RegistryEntry[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: kind }) =>
      readdirSync(join(folder, kind))
        .sort()
        .map((file) => ({
          kind,
          name: file.replace(/\.md$/, ""),
          text: readFileSync(join(folder, kind, file), "utf8"),
        })),
    );
}

/** What is wrong with a page. One line each. */
export function entryMistakes({ kind, name, text }: RegistryEntry): string[] {
  const lines = text.split("\n");
  const found = lines.filter((line) => line.startsWith("## ")).map((line) => line.slice(3));
  const state = lines[lines.indexOf("## State") + 2] ?? "";
  return [
    ...((kinds as readonly string[]).includes(kind) ? [] : [`no kind is called ${kind}; known: ${kinds.join(", ")}`]),
    ...(isExtension(name) ? [] : [`${name} is no name with a dot`]),
    ...(name.startsWith("com.example.") ? ["names of com.example are for examples, and are never entered"] : []),
    ...(lines[0] === `# ${name}` ? [] : [`the title is "${lines[0]}", not the name`]),
    ...(/^[A-Z`].*\.$/.test(lines[2] ?? "")
      ? []
      : ["the title is followed by one sentence that says what the name means"]),
    ...(found.join() === headings.join()
      ? []
      : [`its headings are ${found.join(", ") || "none"}; expected ${headings.join(", ")}`]),
    ...(/^(active|ended: .+)$/.test(state)
      ? []
      : [`its state is "${state}"; expected active, or ended: with what took its place`]),
  ].map((mistake) => `spec/registry/${kind}/${name}.md: ${mistake}`);
}

/** The list of entries, for the first page of the registry. */
export function registryTable(entries = readEntries()): string {
  if (entries.length === 0) return "No name is entered yet.";
  const rows = entries.map(({ kind, name, text }) => {
    const [, , meaning = ""] = text.split("\n");
    return `| [\`${name}\`](${kind}/${name}.md) | ${kind} | ${meaning.replaceAll("|", "\\|")} |`;
  });
  return ["| name | kind | meaning |", "|---|---|---|", ...rows].join("\n");
}
