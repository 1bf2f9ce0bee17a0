// What `coverage` prints of a report: why a profile is not certified, and what became of the requirements.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import type { InitializeResult } from "../../schemas/types.ts";
import { reportLines } from "../kit/index.ts";
import type { Report } from "../kit/index.ts";
import { makeHeader } from "../kit/run/make-report.ts";
import { countVerdicts } from "../kit/run/verdicts.ts";
import { coverage } from "./coverage.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-coverage-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => (process.exitCode = 0));

const handshake: InitializeResult = {
  protocol: 1,
  implementation: { name: "mine", version: "1.0", language: "go" },
  seams: ["generic"],
  features: ["cancel", "journal"],
};

async function printed(variants: Report["variants"], options: Parameters<typeof coverage>[1]): Promise<string> {
  const begin = { driver: "mine", handshake, seed: 1, suiteVersion: "1.0", selection: [], selected: variants.length };
  const report = { ...makeHeader(begin), totals: countVerdicts(variants), duration_ms: 1, variants };
  const file = join(folder, "report.jsonl");
  writeFileSync(file, reportLines(report));
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  await coverage(file, options).finally(() => vi.restoreAllMocks());
  return lines.join("\n");
}

it("says why nothing of a profile ran, and which requirements nothing ran of, in few words", async () => {
  const text = await printed([], { missing: 1 });
  expect(text).toMatch(/^core +\d+ +0 +0 {2}not run$/m);
  expect(text).toMatch(/^providers +\d+ +0 +0 {2}the driver does not declare a provider$/m);
  expect(text).toMatch(/^retry +\d+ +0 +0 {2}the driver does not declare retry$/m);
  expect(text).toMatch(/^cancel +\d+ +0 +0 {2}not run$/m);
  expect(text).toMatch(/^journal +\d+ +0 +0 {2}not run$/m);
  expect(text).toMatch(/^not run: CANCEL-1 to \d+, COMPACT-1 to /m);
});

it("fails where a profile that was asked for is not certified, and says which name was meant", async () => {
  await printed([], { missing: 1, profile: ["core"] });
  expect(process.exitCode).toBe(1);
  await expect(printed([], { missing: 1, profile: ["cor"] })).rejects.toThrow(
    "--profile cor is not known; do you mean core?",
  );
  await expect(printed([], { missing: 1, profile: [""] })).rejects.toThrow(
    '--profile "" is not known; known: essential, core, ',
  );
});
