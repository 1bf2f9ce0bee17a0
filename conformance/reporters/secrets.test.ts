// A driver that leaks its keys everywhere, reported by every reporter: none of them shows one.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runSuite } from "../kit/index.ts";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import type { Suite, SuiteRun } from "../kit/index.ts";
import { partsOf } from "../kit/run/report-file.ts";
import { reporters } from "./all.ts";
import type { ReporterName } from "./all.ts";

const keys = [`sk-ant-api03-${"Zz9_-".repeat(8)}`, `ghp_${"a1B2".repeat(9)}`];
const shape = /sk-ant-|ghp_|test-key-\w/;
const folder = mkdtempSync(join(tmpdir(), "agent-loop-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

let suite: Suite;
let run: SuiteRun;
const received: unknown[] = [];

beforeAll(async () => {
  suite = await sharedSuite();
  const program = fileURLToPath(new URL("testing/leaking-driver.ts", import.meta.url));
  const argv: [string, ...string[]] = ["node", program, ...keys];
  const driver = {
    name: `./driver ${keys[0]}`,
    argument: `API_KEY=${keys[1]} ./driver`,
    command: { argv },
  };
  run = await runSuite({
    ...{ driver, suite, details: "all" },
    select: { cases: ["tools/unknown-tool"], variants: ["anthropic-messages/json"] },
    onStart: (header) => received.push(header),
    onBegin: (begun) => received.push(begun),
    onResult: (result) => received.push(result),
  });
});

it("the driver did say them", () => {
  const [failed] = run.report.variants.filter(({ verdict }) => verdict === "fail");
  expect(run.report.implementation?.implementation.name).toBe("leaky [redacted]");
  expect(failed?.failures?.[0]?.message).toContain("the provider refused [redacted] [redacted] [redacted]");
  expect(JSON.stringify(failed?.exchanges)).toContain("[redacted]");
  expect(JSON.stringify(failed?.events)).toContain("[redacted]");
  expect(failed?.repro).toContain("[redacted]");
});

it("no reporter hears one [REPORT-5]", () => {
  expect(received.length).toBeGreaterThan(2);
  expect(JSON.stringify(received)).not.toMatch(shape);
  expect(JSON.stringify(run.report)).not.toMatch(shape);
});

it.each(Object.keys(reporters) as ReporterName[])("%s writes none", async (name) => {
  let text = "";
  const summaryFile = join(folder, `${name}.md`);
  const context = { write: (piece: string) => (text += piece), suite, color: false, summaryFile };
  const reporter = await reporters[name](context);
  reporter.start?.(partsOf(run.report).header);
  for (const result of run.report.variants) reporter.result?.(result);
  reporter.end(run.report);
  expect(text).not.toBe("");
  expect(text).not.toMatch(shape);
  if (name === "github") expect(readFileSync(summaryFile, "utf8")).not.toMatch(shape);
});
