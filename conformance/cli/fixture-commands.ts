// The commands about fixtures, as declared on the command line. Each is loaded only when it is used.

import { Option } from "commander";
import type { Command } from "commander";
import { providerNames } from "../kit/wire/provider-names.ts";
import { transportsOf } from "../kit/wire/transports.ts";
import { copiesSecrets } from "./shared/copies-secrets.ts";
import { port } from "./shared/option-values.ts";
import { showFirst } from "./shared/screen-help.ts";
import { allowUnscanned, fault, order, overwrite, timing, upstream } from "./shared/traffic-options.ts";

const transports = Object.values(transportsOf).flatMap((ofOne) => ofOne.map(({ name }) => name));
/** What `--transport` takes: `streamed` is how the provider streams. */
const transportChoices = [...new Set([...transports, "streamed"])];

/** Adds what is done with a recording once it is made, or to make one of something else. */
export function addFixtureCommands(parent: Command): void {
  parent
    .command("diff")
    .description("show where two fixtures differ, ids aside; exit code 1 if they do")
    .argument("<old>", "a fixture")
    .argument("<new>", "another one")
    .action(async (before, after) => (await import("./diff.ts")).diff(before, after));

  parent
    .command("normalize")
    .description("rewrite fixtures in their normal form, the smallest one with the same replay")
    .argument("<fixture...>", "fixture files")
    .option("--check", "write nothing; exit code 1 if one is not in its normal form")
    .addHelpText("after", copiesSecrets)
    .action(async (files, options) => (await import("./normalize.ts")).normalize(files, options));

  parent
    .command("scan")
    .description("look for secrets in fixtures, also for those that are split over the events of a stream")
    .argument("<path...>", "files, or folders of .json files")
    .action(async (paths) => (await import("./scan.ts")).scanFiles(paths));

  const importing = parent
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
        .choices([...providerNames])
        .default("openai-chat"),
    )
    .addOption(
      new Option("--transport <transport>", "aimock: whole answers, or streams")
        .choices(transportChoices)
        .default("json"),
    )
    .action(async (file, options) => (await import("./import.ts")).importFile(file, options));
  showFirst(importing, "from", "out", "redact", "overwrite");

  parent
    .command("export-har")
    .description("write a fixture as an HTTP archive, which browsers show")
    .argument("<fixture>", "a fixture file")
    .requiredOption("-o, --out <file>", "the archive")
    .addOption(upstream())
    .addOption(overwrite())
    .addHelpText("after", copiesSecrets)
    .action(async (file, options) => (await import("./export-har.ts")).exportHar(file, options));

  parent
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

  parent
    .command("new-case")
    .description("draft a conformance case of the last run in a fixture, to be edited down")
    .requiredOption("--from <fixture>", "recorded traffic, with its requests")
    .option("--requires <requirement>", "the requirement that the case is to test", "LOOP-1")
    .option("--title <title>", "what a correct loop does, in one sentence", "The run goes as it was recorded")
    .option("-o, --output <file>", "where to write it; absent: to stdout")
    .action(async (options) => (await import("./new-case.ts")).newCase(options));
}
