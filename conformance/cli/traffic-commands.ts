// The commands about recorded traffic, as declared on the command line. Each is loaded only when it is used.

import { Argument, Option } from "commander";
import type { Command } from "commander";
import { levels } from "../kit/suite/levels.ts";
import { copiesSecrets } from "./shared/copies-secrets.ts";
import { collect, port } from "./shared/option-values.ts";
import { reporterOption } from "./shared/report-options.ts";

const withNpxAlone = `
Nothing has to be installed before:
  npx agent-loop-spec record -o weather.json -- python3 my_agent.py`;

/** Adds them to the program. */
export function addTrafficCommands(program: Command): void {
  program
    .command("record")
    .description("run a program, and write its model traffic into a fixture")
    .requiredOption("-o, --out <file>", "the fixture; its recording log is beside it while the program runs")
    .addArgument(commandArgument())
    .addOption(upstream())
    .option("--redact", "replace secrets; by default the first one ends the recording")
    .addOption(allowUnscanned())
    .addOption(overwrite())
    .option("--recover", "make the fixture from the recording log of an interrupted recording")
    .option(
      "--audit",
      "judge what was recorded, as audit does: on stderr when the program has ended; exit code 1 if a requirement is broken",
    )
    .addOption(level("with --audit: "))
    .addOption(reporterOption("with --audit: "))
    .addHelpText("after", withNpxAlone)
    .action(async (command, options) => (await import("./record.ts")).record(command, options));

  program
    .command("replay")
    .description("run a program offline: each of its model calls is answered as recorded")
    .argument("<fixture>", "a fixture file")
    .addArgument(commandArgument())
    .addOption(order())
    .addOption(timing())
    .addOption(fault())
    .addOption(expectation())
    .option("--no-rules", "do not check requests against the rules of the providers")
    .option("--update", "send requests that do not match to the providers, and rewrite the fixture; not in CI")
    .addOption(upstream())
    .option("--redact", "with --update: replace secrets; by default the first one ends the recording")
    .addOption(allowUnscanned())
    .addOption(keepEnv())
    .action(async (file, command, options) => (await import("./replay.ts")).replay(file, command, options));

  program
    .command("audit")
    .description(
      "show which requirements the recorded requests of any agent keep, and which they break, and where; exit code 1 if any is broken",
    )
    .argument("<fixture...>", "fixture files; together they are one certificate")
    .addOption(level())
    .addOption(reporterOption())
    .addOption(expectation())
    .option("--json", "the places that are broken, and the notes, as JSON")
    .action(async (files, options) => (await import("./audit.ts")).audit(files, options));

  program
    .command("import")
    .description("make a fixture from a recording of another tool, and report what is lost")
    .argument(
      "<file>",
      "an HTTP archive, a cassette of VCR (Python, Ruby, R or Go), requests with their responses in JSON, or a fixture file of aimock",
    )
    .addOption(
      new Option("--from <format>", "what the file is; by default that is seen from its content").choices([
        "har",
        "vcr",
        "json",
        "aimock",
      ]),
    )
    .requiredOption("-o, --out <file>", "the fixture")
    .addOption(upstream())
    .option("--crafted <why>", "har, vcr: a person wrote or changed the file, and this is what it is for")
    .option("--redact", "replace secrets; by default the first one ends the import")
    .addOption(allowUnscanned())
    .addOption(overwrite())
    .addOption(
      new Option("-p, --provider <provider>", "aimock: in whose format the answers are written")
        .choices(["anthropic-messages", "openai-chat", "openai-responses"])
        .default("openai-chat"),
    )
    .addOption(
      new Option("--transport <transport>", "aimock: whole answers, or streams")
        .choices(["json", "sse"])
        .default("json"),
    )
    .action(async (file, options) => (await import("./import.ts")).importFile(file, options));

  program
    .command("export-har")
    .description("write a fixture as an HTTP archive, which browsers show")
    .argument("<fixture>", "a fixture file")
    .requiredOption("-o, --out <file>", "the archive")
    .addOption(upstream())
    .addOption(overwrite())
    .addHelpText("after", copiesSecrets)
    .action(async (file, options) => (await import("./export-har.ts")).exportHar(file, options));

  program
    .command("scan")
    .description("look for secrets in fixtures, also for those that are split over the events of a stream")
    .argument("<path...>", "files, or folders of .json files")
    .action(async (paths) => (await import("./scan.ts")).scanFiles(paths));

  program
    .command("serve")
    .description("run a server that answers as recorded")
    .argument("[fixture...]", "fixture files; one alone is played under the root")
    .option("--port <n>", "where to listen on 127.0.0.1; 0 for any free port", port, 0)
    .option("--repeat", "begin again when every exchange is used")
    .addOption(order())
    .addOption(timing())
    .addOption(fault())
    .option("--no-rules", "do not check requests against the rules of the providers")
    .action(async (files, options) => (await import("./serve.ts")).serve(files, options));

  program
    .command("diff")
    .description("show where two fixtures differ, ids aside; exit code 1 if they do")
    .argument("<old>", "a fixture")
    .argument("<new>", "another one")
    .action(async (before, after) => (await import("./diff.ts")).diff(before, after));

  program
    .command("normalize")
    .description("rewrite fixtures in their normal form, the smallest one with the same replay")
    .argument("<fixture...>", "fixture files")
    .option("--check", "write nothing; exit code 1 if one is not in its normal form")
    .addHelpText("after", copiesSecrets)
    .action(async (files, options) => (await import("./normalize.ts")).normalize(files, options));

  program
    .command("new-case")
    .description("draft a conformance case of the last run in a fixture, to be edited down")
    .requiredOption("--from <fixture>", "recorded traffic, with its requests")
    .option("--requires <requirement>", "the requirement that the case is to test", "LOOP-1")
    .option("--title <title>", "what a correct loop does, in one sentence", "The run goes as it was recorded")
    .option("-o, --output <file>", "where to write it; absent: to stdout")
    .action(async (options) => (await import("./new-case.ts")).newCase(options));

  program
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

function level(when = ""): Option {
  return new Option(
    "--level <level>",
    `${when}judge nothing beyond this level: essential is what hurts every user; absent: everything`,
  ).choices([...levels]);
}

function commandArgument(): Argument {
  return new Argument("[command...]", "after --, the program and its arguments");
}

function upstream(): Option {
  return new Option(
    "--upstream <name=url>",
    "another host, or another address of anthropic or openai; may be repeated",
  ).argParser(collect);
}

function overwrite(): Option {
  return new Option("--overwrite", "replace the file if it exists; by default that is an error");
}

function allowUnscanned(): Option {
  return new Option(
    "--allow-unscanned",
    "keep bodies that are neither text nor an image, audio or PDF; nobody can say whether a secret is in them",
  );
}

function keepEnv(): Option {
  return new Option(
    "--keep-env <name>",
    "a variable that the program keeps although it may hold a key or an address; may be repeated",
  ).argParser(collect);
}

function order(): Option {
  return new Option(
    "--order <order>",
    "strict: as recorded; any: each request takes an exchange that it matches",
  ).choices(["strict", "any"]);
}

function timing(): Option {
  return new Option("--timing <timing>", "recorded: with the pauses of the recording")
    .choices(["fast", "recorded"])
    .default("fast");
}

function fault(): Option {
  return new Option(
    "--fault <fault>",
    "429@3, reset@2, cut@2 or delay=500@1: what goes wrong with the n-th request; may be repeated",
  ).argParser(collect);
}

function expectation(): Option {
  return new Option(
    "--expect <file>",
    "YAML with the tools that must be called, their arguments, the requests, and the cost limit",
  );
}
