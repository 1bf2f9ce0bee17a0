// The commands that teach, as declared on the command line. Each is loaded only when it is used.

import type { Command } from "commander";
import { wholeNumber } from "./shared/option-values.ts";

/** Adds `learn` and `eject`. */
export function addTeachingCommands(program: Command): void {
  program
    .command("learn")
    .summary("write a loop of your own, stage by stage")
    .description("write a loop of your own, stage by stage: say what is next, or begin")
    .argument("[stage]", "its number, or start, which writes a starter; absent: where you are")
    .argument("[folder]", "of your loop; absent: this one")
    .option("--lang <language>", "of the starter: python, typescript, go, rust")
    .option("--hint", "open the next hint of the stage")
    .option("--reference", "show the lines of the reference that do it")
    .option("--cases", "list every case of the stage, with its title")
    .action(async (stage, folder, options) => (await import("./learn.ts")).learn(stage, folder, options));

  program
    .command("eject")
    .summary("copy the core of the reference into your own source")
    .description("copy the core of the reference into your own source, with its licence and version")
    .argument("<folder>", "a new or empty one")
    .option("--imports <ending>", "of its imports: ts or js; absent: what the tsconfig.json around it permits")
    .action(async (folder, options) => (await import("./eject.ts")).eject(folder, options));
}

/** Adds `quiz` and `tour`. */
export function addLessonCommands(parent: Command): void {
  parent
    .command("quiz")
    .description("find a planted fault: which requirement is broken, and where")
    .argument("[fault]", "its code or id; absent: one by chance")
    .option("--seed <n>", "chooses the fault", wholeNumber)
    .option("--answer <requirement>", "answer at once, without being asked; a file may follow")
    .option("--reveal", "show the answer")
    .action(async (fault, options) => (await import("./quiz.ts")).quiz(fault, options));

  parent
    .command("tour")
    .description("the loop in ten programs, each a step on from the last: list them, or run one")
    .argument("[step]", "its number; absent: list them")
    .argument("[word]", "diff: show what the step changes in the program before it")
    .action(async (step, word) => (await import("./tour.ts")).tour(step, word));
}
