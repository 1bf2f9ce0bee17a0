// Finds secrets in what is about to be written: keys of known shapes, and the keys of the program's own environment.

import type { SecretLintCoreConfig } from "@secretlint/types";
import { keyShapes } from "../kit/key-shapes.ts";

/** A secret in a text. */
export interface Finding {
  /** What it seems to be, such as `an OpenAI key`. */
  kind: string;
  /** Where it begins and ends. */
  start: number;
  end: number;
}

/** Looks for secrets in a text. Resolves to them in order, without overlaps. */
export type Scan = (text: string) => Promise<Finding[]>;

/** The scanner is an optional peer; without it nothing is recorded. */
export class ScannerMissingError extends Error {
  override readonly name = "ScannerMissingError";

  constructor() {
    super(
      "recording and scanning need a scanner of secrets: npm install --save-dev @secretlint/core @secretlint/profiler @secretlint/secretlint-rule-preset-recommend",
    );
  }
}

/** Names of variables whose values are secrets, and the least length of one that is worth looking for. */
const secretName = /(_API_KEY|_AUTH_TOKEN|_ACCESS_TOKEN|_SECRET_KEY|_SECRET_ACCESS_KEY|_API_TOKEN|_PASSWORD)$/;
const leastLength = 8;

/** The secrets of an environment: what they are called, and what they are. */
export function secretsOf(environment: NodeJS.ProcessEnv): Map<string, string> {
  const found = Object.entries(environment).filter(
    ([name, value]) => secretName.test(name) && value !== undefined && value.length >= leastLength,
  );
  return new Map(found as [string, string][]);
}

/**
 * Makes a scanner.
 * @param known secrets by the name under which a person knows them
 * @throws ScannerMissingError if @secretlint is not installed
 * @see RECORD-3
 */
export async function createScan(known: ReadonlyMap<string, string> = new Map()): Promise<Scan> {
  const { lintSource, config } = await loadSecretlint();
  return async (text) => {
    const found: Finding[] = [];
    for (const [name, value] of known) found.push(...everywhere(text, value, `the value of ${name}`));
    for (const [kind, shape] of keyShapes)
      for (const match of text.matchAll(shape))
        found.push({ kind, start: match.index, end: match.index + match[0].length });
    const source = { filePath: "/traffic.txt", content: text, contentType: "text" as const, ext: ".txt" };
    const { messages } = await lintSource({ source, options: { config } });
    for (const { ruleId, range } of messages)
      found.push({ kind: ruleId.replace(/^.*secretlint-rule-/, "a secret of "), start: range[0]!, end: range[1]! });
    return withoutOverlaps(found);
  };
}

/** The text with each secret replaced by what it seems to be. */
export function replaceSecrets(text: string, findings: readonly Finding[]): string {
  let kept = "";
  let at = 0;
  for (const { kind, start, end } of findings) {
    kept += `${text.slice(at, start)}[redacted: ${kind}]`;
    at = end;
  }
  return kept + text.slice(at);
}

function everywhere(text: string, value: string, kind: string): Finding[] {
  const found: Finding[] = [];
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length)) {
    found.push({ kind, start, end: start + value.length });
  }
  return found;
}

function withoutOverlaps(findings: Finding[]): Finding[] {
  const kept: Finding[] = [];
  for (const finding of findings.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = kept.at(-1);
    if (last === undefined || finding.start >= last.end) kept.push(finding);
    else last.end = Math.max(last.end, finding.end);
  }
  return kept;
}

async function loadSecretlint(): Promise<{
  lintSource: typeof import("@secretlint/core").lintSource;
  config: SecretLintCoreConfig;
}> {
  try {
    const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
      import("@secretlint/core"),
      import("@secretlint/secretlint-rule-preset-recommend"),
      import("@secretlint/profiler"),
    ]);
    // It would take more time than the rules, and keep what it has measured until the program ends.
    secretLintProfiler.setEnabled(false);
    const id = "@secretlint/secretlint-rule-preset-recommend";
    return { lintSource, config: { rules: [{ id, rule: creator }] } };
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") throw new ScannerMissingError();
    throw thrown;
  }
}
