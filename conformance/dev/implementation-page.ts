// Writes spec/kit/implementations.md: the implementations that sent a report, and what each is certified for.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../kit/base/usage-error.ts";
import { coverageOf } from "../kit/run/coverage.ts";
import type { Report, Suite } from "../kit/index.ts";
import { root } from "./schema-files.ts";

/** What the list says of an implementation; all of it but `home` is read from its report. */
export interface Entry {
  name: string;
  version: string;
  language?: string;
  /** Where it can be had. */
  home?: string;
  /** The day of the run, and with what it was made. */
  tested: { on: string; kit: string; spec: string; suite: string };
  /** The profiles of which every required variant passed. */
  certified: string[];
  /** Profiles of features and providers that it declares, with variants that did not pass. */
  missing: Record<string, number>;
  /** How many variants have each verdict. */
  verdicts: Record<string, number>;
}

/** Where the entries are. */
export const folder = join(root, "spec/implementations");

/**
 * The entry of an implementation.
 * @throws UsageError for a report of a part of the suite: a certificate is about all of it
 */
export async function entryOf(report: Report, suite: Suite, home?: string): Promise<Entry> {
  const { implementation: handshake, shard, level, selected, variants } = report;
  if (handshake === undefined) throw new UsageError("the driver of this report never initialised");
  if (shard || level || variants.length !== selected)
    throw new UsageError("this report is of a part of the suite; test everything, or merge the shards first");
  const { name, version, language } = handshake.implementation;
  const { profiles, suite_version } = await coverageOf({ ...report, implementation: handshake }, suite);
  const offered = profiles.filter(({ required, ran }) => required > 0 && ran > 0);
  return {
    name,
    version,
    ...(language !== undefined && { language }),
    ...(home !== undefined && { home }),
    tested: { on: report.started_at.slice(0, 10), kit: report.kit, spec: report.spec, suite: suite_version },
    certified: offered.filter(({ certified }) => certified).map(({ profile }) => profile),
    missing: Object.fromEntries(
      offered.filter(({ certified }) => !certified).map(({ profile, missing }) => [profile, missing.length]),
    ),
    verdicts: counted(variants.map(({ verdict }) => verdict)),
  };
}

function counted(values: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(values, (value) => value);
  return Object.fromEntries(
    [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, own]) => [key, own.length]),
  );
}

/** The entries, in the order of their names. */
export function readEntries(from = folder): Entry[] {
  if (!existsSync(from)) return [];
  const names = readdirSync(from).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => JSON.parse(readFileSync(join(from, name), "utf8")) as Entry);
}

/** The text of spec/kit/implementations.md. */
export function implementationPage(entries = readEntries()): string {
  const rows = entries.map((entry) => {
    const name = entry.home === undefined ? entry.name : `[${entry.name}](${entry.home})`;
    return `| ${name} | ${entry.version} | ${entry.language ?? ""} | ${certificates(entry)} | ${verdicts(entry)} | ${tested(entry)} |`;
  });
  return `# Implementations

Loops that were put under test, and what their reports certify. A certificate says that every variant that its [profile](conformance.md#profiles) requires was played and passed; it is evidence that the profile is kept, and no more than that. What has no case is [judged otherwise](judged.md).
This page is made by \`npm run generate\` from the entries in [\`spec/implementations\`](../implementations/), and these from reports of the kit; do not edit it.

| implementation | version | language | certified for | variants | tested |
|---|---|---|---|---|---|
${rows.join("\n")}

## Being listed

Test everything, and keep the report:

\`\`\`sh
agent-loop test --driver ./my-driver --reporter json=report.json
\`\`\`

A proposal is a change that adds the entry, \`npm run implementations -- report.json --home <address>\`, and links the report. Somebody else runs the same driver once before it is taken: an entry that nobody can repeat is none. An entry says what was true of one version on one day; it is replaced, not mended, and taken away where its owner asks for that. How frameworks that have sent nothing fare is measured in [the matrix](../../conformance/matrix/README.md).

## Implementation-defined

Whether an implementation is listed.
`;
}

function certificates({ certified, missing }: Entry): string {
  const names = certified.map((name) => `\`${name}\``).join(" ") || "nothing";
  const parts = Object.entries(missing).map(([name, count]) => `\`${name}\` (${count})`);
  return parts.length === 0 ? names : `${names}; not all of ${parts.join(" ")}`;
}

function verdicts({ verdicts: all }: Entry): string {
  return Object.entries(all)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(", ");
}

function tested({ tested: { on, kit, spec, suite } }: Entry): string {
  return `${on}, spec ${spec}, suite ${suite}, kit ${kit}`;
}
