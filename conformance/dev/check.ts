// Checks everything that can be checked in a minute: npm run check [-- --only types,lint]
// The tests in *.long.test.ts take longer; `npm test` runs them too. Those in *.whole.test.ts are for `npm test -- --whole`.

import pLimit from "p-limit";
import pc from "picocolors";
import { runCheckStep, type CheckStep } from "./check-step.ts";
import { bundledReference } from "./bundle-driver.ts";
import { quickVariants } from "./conformance.ts";

export const vitest = ["vitest", "run", "--config", "conformance/dev/vitest.config.ts"];

/** `npm test` runs what the pages say, too. */
export const specStep: CheckStep = {
  name: "spec",
  commands: [["node", "conformance/dev/check-spec.ts"]],
  fix: "Correct the fenced block that it names; the kinds of blocks are listed in conformance/dev/check-spec.ts.",
};

export const checkSteps: CheckStep[] = [
  {
    name: "generate",
    commands: [["node", "conformance/dev/generate.ts", "--check"]],
    fix: "Correct the source that it names, or run: npm run generate",
  },
  {
    name: "types",
    commands: [
      ["tsc", "-p", "tsconfig.json", "--incremental", "--tsBuildInfoFile", ".cache/types.json"],
      ["tsc", "-p", "reference/core"],
      ["tsc", "-p", "conformance/reporters/html/page"],
      ["tsc", "-p", "conformance/matrix/page"],
      ["tsc", "-p", "conformance/dev/spec-page/page"],
      ["tsc", "-p", "conformance/dev/site/page"],
    ],
    fix: "Correct the types. What the root of the package imports is checked a second time, without the types of Node; the pages of a report, of the spec and of the site with those of a browser.",
  },
  { name: "lint", commands: [["oxlint", "."]], fix: "Correct what it names; much of it with: npm run fix" },
  { name: "format", commands: [["oxfmt", "--check", "."]], fix: "Run: npm run fix" },
  {
    name: "schemas",
    commands: [["node", "conformance/dev/check-schemas.ts"]],
    fix: "Correct the schema, the example or the counterexample that it names.",
  },
  { ...specStep, commands: [["node", "conformance/dev/check-spec.ts", "--quick"]] },
  {
    name: "units",
    // These wait for little, and each worker loads the modules once more.
    commands: [[...vitest, "--project", "!long*", "--maxWorkers", "2"]],
    fix: "Run one file alone with: npx vitest run --config conformance/dev/vitest.config.ts <file>",
  },
  {
    name: "conformance",
    commands: [
      ["node", "conformance/dev/bundle-driver.ts"],
      ["node", "conformance/cli/main.ts", "test", "--driver", bundledReference, ...quickVariants],
    ],
    fix: "Each failure above ends with the command that runs only this variant.",
  },
];

if (import.meta.main) {
  const selected = select(process.argv.slice(2));
  const start = performance.now();
  const twoAtATime = pLimit(2);
  const outcomes = await Promise.all(selected.map((step) => twoAtATime(() => runCheckStep(step))));
  const failed = outcomes.filter(({ passed }) => !passed).map(({ step }) => step.name);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (failed.length > 0) {
    console.log(pc.red(`${failed.length} of ${selected.length} steps failed in ${seconds} s: ${failed.join(", ")}`));
    process.exitCode = 1;
  } else console.log(`${selected.length} steps passed in ${seconds} s`);
}

function select(args: string[]): CheckStep[] {
  if (args.length === 0) return checkSteps;
  const names = args[0] === "--only" ? (args[1] ?? "").split(",") : [];
  const unknown = names.filter((name) => !checkSteps.some((step) => step.name === name));
  if (names.length === 0 || unknown.length > 0 || args.length > 2) {
    console.error(
      `Usage: npm run check -- --only <name>,<name>. Names: ${checkSteps.map(({ name }) => name).join(", ")}.`,
    );
    process.exit(2);
  }
  return checkSteps.filter(({ name }) => names.includes(name));
}
