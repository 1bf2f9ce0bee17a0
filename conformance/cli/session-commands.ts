// The commands about sessions, and files of other types, as declared on the command line. Each is loaded only when it is used.

import { Option } from "commander";
import type { Command } from "commander";
import { providerNames } from "../kit/wire/provider-names.ts";
import { copiesSecrets } from "./shared/copies-secrets.ts";
import { collect } from "./shared/option-values.ts";

/** Adds what is done with a session. */
export function addSessionCommands(parent: Command): void {
  parent
    .command("validate")
    .description(
      "check a session, snapshot, events, fixture, case, report, agent-loop.json or list of known failures against its schema, and the rules beyond it",
    )
    .argument("<file...>", "JSON, NDJSON or YAML; - reads stdin")
    .option("-t, --type <type>", "what the file is, if it cannot be detected")
    .option("-p, --provider <provider>", "the file is the body of a request: hold it against this provider's rules")
    .option("--before <file>", "events: the session with which the run began")
    .option("--after <file>", "events: the session with which it ended; the events must rebuild it")
    .addOption(
      new Option("-f, --feature <feature>", "events: demand what this feature adds; may be repeated").argParser(
        collect,
      ),
    )
    .action(async (files, options) => (await import("./validate.ts")).validateFiles(files, options));

  parent
    .command("repair")
    .description("repair a broken session, and report the changes")
    .argument("<session>", "JSON; - reads stdin and writes stdout")
    .option("--dry-run", "only report what would change; exit code 1 if anything would")
    .option("-o, --output <file>", "where to write it; absent: in its place")
    .action(async (file, options) => (await import("./repair.ts")).repair(file, options));

  parent
    .command("convert")
    .description("convert a conversation into another format, and report what is lost")
    .argument("<file>", "JSON; - reads stdin")
    .addOption(
      new Option(
        "--to <format>",
        `session, ${providerNames.join(", ")} (bodies of requests) or atif`,
      ).makeOptionMandatory(),
    )
    .option("--from <format>", "the same, or fixture; absent: detected from the file")
    .option("--model <model>", "the model to name in a request")
    .option("-o, --output <file>", "where to write it; absent: to stdout")
    .addHelpText("after", copiesSecrets)
    .action(async (file, options) => (await import("./convert.ts")).convert(file, options));
}

/** Adds `show`, which reads fixtures and sessions alike. */
export function addShowCommand(parent: Command): void {
  parent
    .command("show")
    .description("show a fixture, a session, a snapshot or the events of a run as a conversation")
    .argument("<file>", "JSON, or events one a line; - reads stdin; with --step also a case: its id, and a #variant")
    .option("--full", "do not shorten what is long")
    .option("--html <file>", "write a page instead")
    .option("--step", "show the run transition by transition: what was decided, by which requirement, with what result")
    .option("--all", "with --step: print all transitions at once, as without a terminal")
    .option("-d, --driver <driver>", "with --step and a case: who plays it; absent: the reference")
    .action(async (file, options) => (await import("./show.ts")).show(file, options));
}
