// The command `audit`: says which requirements recorded traffic of an agent broke, and where. No driver is needed.

import { readFixture } from "../traffic/fixture/fixture-file.ts";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { auditFixture } from "../traffic/read/audit-fixture.ts";
import type { Audit } from "../traffic/read/audit-fixture.ts";
import { readExpectation, unmetLines } from "../traffic/read/expectation.ts";
import type { Unmet } from "../traffic/read/expectation.ts";
import type { Finding } from "../traffic/read/finding.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface AuditOptions {
  json?: boolean;
  expect?: string;
}

interface FileAudit extends Audit {
  file: string;
  /** What is not as expected, where a file says what is. */
  unmet?: Unmet[];
}

/** Exit code 1 if a requirement was broken, or an expectation was not met; notes alone are no breach. */
export async function audit(files: readonly string[], { json = false, expect }: AuditOptions): Promise<void> {
  const unmetBy = expect === undefined ? undefined : readExpectation(expect);
  const audits: FileAudit[] = [];
  for (const file of files) {
    const fixture = await readFixture(file);
    const found = await auditFixture(fixture);
    if (found.requests === 0)
      throw new UsageError(`${file} has no request that can be audited: it has only answers, or unknown formats`);
    audits.push({ file, ...found, ...(unmetBy && { unmet: await unmetBy(fixture.exchanges) }) });
  }
  if (json) console.log(JSON.stringify(audits, null, 2));
  else for (const line of audits.flatMap(auditLines)) console.log(line);
  const isRed = ({ findings, unmet = [] }: FileAudit) =>
    unmet.length > 0 || findings.some(({ level }) => level === "broken");
  if (audits.some(isRed)) process.exitCode = 1;
}

function auditLines({ file, requests, conversations, findings, unmet }: FileAudit): string[] {
  const { requirements } = readCatalogue(packagePath());
  const broken = findings.filter(({ level }) => level === "broken").length;
  const sum = `${counted(requests, "request")} in ${counted(conversations, "conversation")}`;
  const notes = findings.length - broken;
  const counts = [
    broken === 0 ? "no breach found" : counted(broken, "breach", "breaches"),
    ...(notes === 0 ? [] : [counted(notes, "note")]),
  ];
  const expected = unmet === undefined ? [] : [unmet.length === 0 ? "as expected" : `${unmet.length} not as expected`];
  return [
    ...findings.flatMap((finding) => findingLines(file, finding, requirements.get(finding.requirement)?.text)),
    ...(unmet ?? []).flatMap(unmetLines),
    `${file}: ${sum}: ${[...counts, ...expected].join(", ")}`,
  ];
}

function findingLines(
  file: string,
  { level, exchange, pointer, message, requirement, rule }: Finding,
  text = "",
): string[] {
  const where = `${file}: exchange ${exchange}${pointer === "" ? "" : ` ${pointer}`}`;
  const broke = rule === undefined ? requirement : `${requirement} (${rule})`;
  return [`${where}: ${level === "note" ? "note: " : ""}${message}`, `  ${broke}: ${text}`.trimEnd()];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
