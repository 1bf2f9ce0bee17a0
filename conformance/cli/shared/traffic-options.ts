// The options about recorded traffic that several commands have.

import { Option } from "commander";
import { collect } from "./option-values.ts";

/** `--upstream`, which may be repeated. */
export function upstream(): Option {
  return new Option(
    "--upstream <name=url>",
    "another host, or another address of anthropic or openai; may be repeated",
  ).argParser(collect);
}

/** `--overwrite`. */
export function overwrite(): Option {
  return new Option("--overwrite", "replace the file if it exists; by default that is an error");
}

/** `--allow-unscanned`. */
export function allowUnscanned(): Option {
  return new Option(
    "--allow-unscanned",
    "keep bodies that are neither text nor an image, audio or PDF; nobody can say whether a secret is in them",
  );
}

/** `--order`. */
export function order(): Option {
  return new Option(
    "--order <order>",
    "strict: as recorded; any: each request takes an exchange that it matches",
  ).choices(["strict", "any"]);
}

/** `--timing`. */
export function timing(): Option {
  return new Option("--timing <timing>", "recorded: with the pauses of the recording")
    .choices(["fast", "recorded"])
    .default("fast");
}

/** `--fault`, which may be repeated. */
export function fault(): Option {
  return new Option(
    "--fault <fault>",
    "429@3, reset@2, cut@2 or delay=500@1: what goes wrong with the n-th request; may be repeated",
  ).argParser(collect);
}
