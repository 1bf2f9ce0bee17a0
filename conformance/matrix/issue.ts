// Writes the report of a breach to those who make the framework: whole, so that it can be sent as it is.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Matrix, MatrixCell, MatrixRequirement, MatrixRow } from "../../schemas/types.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { isNamed } from "./rows.ts";
import { standalone } from "./standalone.ts";

/** A cell of the matrix, with what it belongs to. */
export interface Breach {
  row: MatrixRow;
  id: string;
  requirement: MatrixRequirement;
  cell: MatrixCell;
}

/**
 * The breach that is named: `ai-sdk/LOOP-9` or `peers/ai-sdk/LOOP-9`.
 * @throws UsageError if there is none, if the name means several, or if no script shows it
 */
export function findBreach({ rows, requirements }: Matrix, named: string): Breach {
  const at = named.lastIndexOf("/");
  const [name, id] = [named.slice(0, Math.max(at, 0)), named.slice(at + 1)];
  if (name === "" || !/^[A-Z]+-\d+$/.test(id))
    throw new UsageError(`${named || '""'} names no breach; expected a row and a requirement, such as ai-sdk/LOOP-9`);
  const found = rows.filter((row) => isNamed(row.id, name));
  if (found.length === 0)
    throw new UsageError(
      `no row is called ${name}; ${whichName(
        name,
        rows.map((row) => row.id),
      )}`,
    );
  if (found.length > 1)
    throw new UsageError(
      `${name} names ${found.map((row) => row.id).join(" and ")}; give one of them, with its first word`,
    );
  const row = found[0]!;
  const cell = row.cells?.[id];
  const broken = Object.keys(row.cells ?? {}).filter((one) => row.cells![one]!.outcome === "broken");
  if (cell === undefined || requirements[id] === undefined)
    throw new UsageError(`${row.id} has no ${id}; it breaks ${broken.join(", ") || "nothing"}`);
  if (cell.outcome === "unconfirmed")
    throw new UsageError(
      `no script shows ${id} of ${row.id} without the kit, so there is nothing to send yet: write one in its folder repro, and measure the row again`,
    );
  if (cell.outcome !== "broken")
    throw new UsageError(
      `${row.id} does not break ${id}: ${cell.outcome.replaceAll("_", " ")}; it breaks ${broken.join(", ") || "nothing"}`,
    );
  return { row, id, requirement: requirements[id], cell };
}

/** The report, in Markdown: its first line is the title. */
export function issueText(breach: Breach, root = packagePath()): string {
  const { row, id, requirement, cell } = breach;
  const { sentence = requirement.without, evidence } = cell;
  const shown = (cell.scripts ?? []).filter(({ shows }) => shows);
  const [script] = shown;
  const what = (script && claimOf(join(root, script.file))) ?? sentence;
  return `${[
    `# ${what.replace(/\.$/, "")}`,
    "",
    `**Versions.** ${row.packages.map(({ name, version }) => `${name} ${version}`).join(", ")}. ${row.configuration}`,
    "",
    `**What happens.** ${what}`,
    "",
    `**Why it hurts.** ${requirement.without}`,
    "",
    `**Expected.** ${requirement.text}`,
    "",
    `**Actual.** ${script?.output ?? sentence}`,
    "",
    ...(script ? scriptLines(script.file, row, root) : []),
    ...(shown.length > 1
      ? [
          "",
          `More that show the same: ${shown
            .slice(1)
            .map(({ file }) => file)
            .join(", ")}`,
        ]
      : []),
    ...(evidence ? ["", ...evidenceLines(sentence, evidence.command)] : []),
    "",
    `Requirement ${id} of the Agent Loop Spec, measured ${row.measured_at.slice(0, 10)}. If this is as you want it, or our`,
    "script does not use your library as your documentation says, please say so: a design difference is no bug, and the row",
    "shows what its makers say. Nothing of this is published before you have had two weeks.",
  ].join("\n")}\n`;
}

/** What the first line of a script says that the bug is. */
function claimOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  return readFileSync(file, "utf8").split("\n")[0]!.replace(/^\W+/, "");
}

const fences: Readonly<Record<string, string>> = {
  mjs: "js",
  js: "js",
  ts: "ts",
  py: "python",
  java: "java",
  go: "go",
  rs: "rust",
};

function scriptLines(file: string, row: MatrixRow, root: string): string[] {
  const path = join(root, file);
  if (!existsSync(path)) return ["**How to run.**", "", "```sh", file, "```"];
  const ending = file.split(".").at(-1)!;
  const name = `bug.${ending}`;
  return [
    `**How to run.** Save the script as \`${name}\` in an empty folder. It needs no key and no network, and exits with 1 if the bug is there.`,
    "",
    "```sh",
    ...runLines(row, name),
    "```",
    "",
    `\`\`\`${fences[ending] ?? ""}`,
    standalone(path).trimEnd(),
    "```",
  ];
}

/** What installs the packages and runs the script, as far as it is the same for all packages of a registry. */
function runLines({ packages }: MatrixRow, name: string): string[] {
  const pinned = (sign: string) => packages.map((one) => `${one.name}${sign}${one.version}`).join(" ");
  switch (packages[0]?.registry) {
    case "npm":
      return [`npm install --ignore-scripts ${pinned("@")}`, `node ${name}`];
    case "pypi":
      return [`python3 -m venv .venv && .venv/bin/pip install ${pinned("==")}`, `.venv/bin/python ${name}`];
    default:
      return [`# with ${packages.map((one) => `${one.name} ${one.version}`).join(", ")}`, name];
  }
}

function evidenceLines(sentence: string, command: string): string[] {
  return [
    `The same requirement, as the conformance kit saw it: ${sentence}`,
    "",
    "```sh",
    command.replace(/^npx \S+/, commandLine),
    "```",
  ];
}
