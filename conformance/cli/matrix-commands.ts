// The commands about the matrix, as declared on the command line. Each is loaded only when it is used.

import { Option } from "commander";
import type { Command } from "commander";
import type { MatrixOptions } from "./matrix.ts";
import { showFirst } from "./shared/screen-help.ts";
import { collect, positive, wholeNumber } from "./shared/option-values.ts";

const outOption = () =>
  new Option("--out <file>", "the data file; at first what the package has").default("agent-loop-matrix.json");

/** Adds them to the program. */
export function addMatrixCommands(program: Command): void {
  const matrix = program
    .command("matrix")
    .summary("measure frameworks and programs of others")
    .description(
      "measure frameworks and programs of others: install them, play the essential cases, and run the script of each breach",
    )
    .addOption(
      new Option("--only <names>", "only these rows, such as ai-sdk,peers/pi; may be repeated").argParser(
        (value: string, before: string[] | undefined) => [...(before ?? []), ...value.split(",")],
      ),
    )
    .option("--list", "list the rows")
    .option("--latest", "the newest versions instead of the pinned ones; npm and PyPI only")
    .option("--resume", "leave out rows that were measured with the same kit, driver and versions")
    .addOption(outOption())
    .option("--page [file]", "write the page of the data file; without --only, measure nothing")
    .option("--cache <folder>", "where to install; absent: the user's cache folder")
    .addOption(
      new Option(
        "--installed <folder>",
        "a folder that has <name>/node_modules, .venv or target already; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "-c, --case <id>",
        "only cases, or scenarios, whose id contains this; for a look, not for the data",
      ).argParser(collect),
    )
    .option("-j, --jobs <n>", "how many runs may be in flight", positive, 4)
    .option("--timeout <ms>", "how long one row may be played after it was installed", positive, 600_000)
    .option("--seed <n>", "of the random ids and words", wholeNumber, 7)
    .action(async (options: MatrixOptions) => (await import("./matrix.ts")).matrix(options));
  showFirst(matrix, "only", "list", "latest", "out", "page", "timeout");

  matrix
    .command("issue")
    .description("print the report of a breach, ready to be sent to those who make the framework")
    .argument("<finding>", "a row and a requirement, such as ai-sdk/LOOP-9")
    .addOption(outOption())
    .action(async (finding: string, _own: object, command: Command) =>
      (await import("./matrix.ts")).matrixIssue(finding, command.optsWithGlobals<MatrixOptions>()),
    );
}
