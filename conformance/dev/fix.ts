// Corrects what programs can correct: npm run fix

import { runStage } from "./check-step.ts";

const outcomes = [
  await runStage({
    name: "generate",
    commands: [["node", "conformance/dev/generate.ts"]],
    fix: "Correct the source that it names.",
  }),
  await runStage({
    name: "lint",
    commands: [["oxlint", "--fix", "."]],
    fix: "What is left above must be corrected by hand.",
  }),
  await runStage({ name: "format", commands: [["oxfmt", "."]], fix: "Correct the syntax of the file that it names." }),
];
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
