// Corrects what programs can correct: npm run fix

import { runCheckStep } from "./check-step.ts";

const outcomes = [
  await runCheckStep({
    name: "generate",
    commands: [["node", "conformance/dev/generate.ts"]],
    fix: "Correct the source that it names.",
  }),
  await runCheckStep({
    name: "lint",
    commands: [["oxlint", "--fix", "."]],
    fix: "What is left above must be corrected by hand.",
  }),
  await runCheckStep({
    name: "format",
    commands: [["oxfmt", "."]],
    fix: "Correct the syntax of the file that it names.",
  }),
];
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
