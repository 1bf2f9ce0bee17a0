// The table of spec/loop/essential.md that says why a response ends: each stop reason of the spec, and its words in each provider's chapter.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codecs } from "../kit/wire/codecs.ts";
import { root } from "./schema-files.ts";

/** One row for each stop reason that a provider has a word for, one column for each provider. */
export function endingWords(): string {
  const providers = Object.values(codecs).flatMap(({ provider, traffic }) => {
    const chapter = join(root, "spec/loop/providers", `${provider}.md`);
    return existsSync(chapter)
      ? [{ provider, rows: rowsHeaded(readFileSync(chapter, "utf8"), traffic.endingsHead) }]
      : [];
  });
  const reasons = Object.keys(JSON.parse(readFileSync(join(root, "spec/stop-table.json"), "utf8")) as object);
  const rows = reasons.flatMap((reason) => {
    const cells = providers.map(({ rows: all }) =>
      all.flatMap(([word = "", generic = ""]) => (generic.includes(`\`${reason}\``) ? [word] : [])).join("; "),
    );
    return cells.some((cell) => cell !== "") ? [[`\`${reason}\``, ...cells]] : [];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const head = ["stop reason", ...providers.map(({ provider }) => provider)];
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

/** The rows of the table whose first column is headed so, as their cells. */
function rowsHeaded(chapter: string, head: string): string[][] {
  const lines = chapter.split("\n");
  const from = lines.findIndex((text) => text.startsWith(`| ${head} |`));
  if (from < 0) throw new Error(`expected a table headed ${head} in the chapter ${lines[0]}`);
  const behind = lines.slice(from + 2);
  return behind
    .slice(
      0,
      behind.findIndex((text) => !text.startsWith("|")),
    )
    .map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim()));
}
