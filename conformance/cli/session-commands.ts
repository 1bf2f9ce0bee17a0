// The commands about sessions, as declared on the command line. Each is loaded only when it is used.

import { Option } from "commander";
import type { Command } from "commander";
import { copiesSecrets } from "./shared/copies-secrets.ts";

/** Adds them to the program. */
export function addSessionCommands(program: Command): void {
  program
    .command("repair")
    .description("repair a broken session, and report the changes")
    .argument("<session>", "JSON; - reads stdin and writes stdout")
    .option("--dry-run", "only report what would change; exit code 1 if anything would")
    .option("-o, --output <file>", "where to write it; absent: in its place")
    .action(async (file, options) => (await import("./repair.ts")).repair(file, options));

  program
    .command("convert")
    .description("convert a conversation into another format, and report what is lost")
    .argument("<file>", "JSON; - reads stdin")
    .addOption(
      new Option(
        "--to <format>",
        "session, anthropic-messages, openai-chat, openai-responses (bodies of requests) or atif",
      ).makeOptionMandatory(),
    )
    .option("--from <format>", "the same, or fixture; absent: detected from the file")
    .option("--model <model>", "the model to name in a request")
    .option("-o, --output <file>", "where to write it; absent: to stdout")
    .addHelpText("after", copiesSecrets)
    .action(async (file, options) => (await import("./convert.ts")).convert(file, options));
}
