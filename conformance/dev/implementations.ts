// Enters implementations in the public list, each from a report of the kit: npm run implementations -- report.json [--home <address>]

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readText } from "../kit/base/read-json.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { loadSuite, readReport } from "../kit/index.ts";
import { entryOf, folder } from "./implementation-page.ts";

/** Writes the entry of each report, and says what it is certified for. */
export async function enter(reports: readonly string[], home: string | undefined, into = folder): Promise<string[]> {
  const suite = await loadSuite();
  mkdirSync(into, { recursive: true });
  const lines: string[] = [];
  for (const file of reports) {
    const entry = await entryOf(readReport(readText(file), file), suite, home);
    const path = join(into, `${entry.name}.json`);
    writeFileSync(path, `${JSON.stringify(entry, null, 2)}\n`);
    lines.push(
      `${entry.name} ${entry.version}: certified for ${entry.certified.join(", ") || "nothing"}; wrote ${path}`,
    );
  }
  return lines;
}

if (import.meta.main) {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { home: { type: "string" } } });
    if (positionals.length === 0)
      throw new UsageError("name a report: agent-loop test --driver <command> --reporter json=report.json");
    for (const line of await enter(positionals, values.home)) console.log(line);
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof TypeError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
