// The options about reports that several commands have.

import { InvalidArgumentError, Option } from "commander";
import type { Shard } from "../../../schemas/types.ts";
import { collect } from "./option-values.ts";

/** `--reporter`, which may be repeated. `when` says with which other option it goes. */
export function reporterOption(when = ""): Option {
  return new Option(
    "--reporter <reporter>",
    `${when}pretty, json, junit, tap, ctrf, github, html or badge; <reporter>=<file> writes to a file; may be repeated; absent: pretty`,
  ).argParser(collect);
}

/** `--details`: what a report has of variants that passed. */
export function detailsOption(): Option {
  return new Option("--details <which>", "of which variants the report has the wire and the events")
    .choices(["failures", "all"])
    .default("failures");
}

/** `--shard i/n`. */
export function shardOption(): Option {
  return new Option(
    "--shard <i/n>",
    "only the i-th of n equal parts; merge their reports with: report merge",
  ).argParser(shard);
}

function shard(value: string): Shard {
  const [, index, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(value) ?? [];
  if (index === undefined || Number(index) > Number(count))
    throw new InvalidArgumentError("expected i/n with i from 1 to n, such as 2/4");
  return { index: Number(index), count: Number(count) };
}
