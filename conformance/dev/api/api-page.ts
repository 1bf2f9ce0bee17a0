// Writes the API reference of the package as one page, from what the build declares: every name that can be imported, and every option of a run.

import { globSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { readRequirementList } from "../feature-data.ts";
import { fieldTable } from "../message-tables.ts";
import { root } from "../schema-files.ts";
import { exportsOf, readDeclarations, type Declared } from "./declarations.ts";
import { withSentences } from "./see-sentences.ts";

/** A module that can be imported. */
export interface Entry {
  /** As it is imported. */
  specifier: string;
  exports: Declared[];
}

/** Puts the sentences into all declarations of dist/, and writes dist/api.md. */
export function writeApi(): void {
  const sentences = new Map(readRequirementList().map(({ id, text }) => [id, text]));
  for (const path of globSync("dist/**/*.d.ts", { cwd: root })) {
    const file = join(root, path);
    const text = readDeclarations(file);
    const complete = withSentences(text, (id) => sentences.get(id));
    if (complete !== text) writeFileSync(file, complete);
  }
  const page = apiPage(entries());
  writeFileSync(join(root, "dist/api.md"), page);
  console.log(`wrote dist/api.md, ${page.split("\n").length} lines`);
}

/** The page. */
export function apiPage(all: readonly Entry[]): string {
  return `# API reference

Every name that can be imported from the package, with its declaration. The types of sessions, messages, events, results and options come from the [schemas](../schemas/), and are exported by \`agent-loop-spec\` under their names there.
What stands after \`@see\` is a sentence of the [spec](../spec/README.md), which a test holds the code to.

${all.map(({ specifier }) => `- [\`${specifier}\`](#${anchorOf(specifier)})`).join("\n")}
- [Options of a run](#options-of-a-run)

${all.map(section).join("\n")}
## Options of a run

${optionTable()}
`;
}

/** The options of a run. Links are meant from `dist/`. */
export function optionTable(): string {
  return fieldTable("RunOptions").replaceAll(
    /\]\((?![a-z]+:)([^)\s]+)/g,
    (_, link: string) => `](${posix.join("../spec/loop", link)}`,
  );
}

/** What stands in it of one module. */
export function section({ specifier, exports }: Entry): string {
  const parts = exports.map(
    ({ name, text, code }) => `### ${name}\n\n${text === "" ? "" : `${text}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`,
  );
  return `## ${specifier}\n\n${parts.join("\n")}`;
}

/** The anchor of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-");
}

/** The modules that package.json lets be imported. */
export function entries(): Entry[] {
  const { name, exports } = JSON.parse(readDeclarations(join(root, "package.json"))) as {
    name: string;
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string") return [];
    return globSync(target.types.slice("./".length), { cwd: root })
      .toSorted()
      .filter((file) => !file.includes("/shared/") && !file.includes("/openai/"))
      .map((file) => ({
        specifier: join(name, path.replace("*", starOf(target.types, file))),
        exports: exportsOf(join(root, file)),
      }));
  });
}

/** What stands in a file for the `*` of a pattern. */
function starOf(pattern: string, file: string): string {
  const [before = "", after = ""] = pattern.slice("./".length).split("*");
  return file.slice(before.length, after === "" ? undefined : -after.length);
}
