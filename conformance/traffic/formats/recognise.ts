// Which tool wrote a file, seen from what stands in it.

import { commandLine } from "../../kit/base/cli-name.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import { isObject } from "./fields.ts";
import { hasJsonExchanges } from "./json-exchanges.ts";
import { isCassette } from "./vcr.ts";

/** The formats that are read. */
export const foreignFormats = ["har", "vcr", "json", "aimock"] as const;

export type ForeignFormat = (typeof foreignFormats)[number];

/**
 * The format of a file.
 * @throws FixtureError if it is none of them
 * @see FIXTURE-8
 */
export function formatOf(file: string, text: string): ForeignFormat {
  const value = jsonIn(text);
  if (isObject(value) && isObject(value["log"]) && Array.isArray(value["log"]["entries"])) return "har";
  if (isObject(value) && Array.isArray(value["fixtures"])) return "aimock";
  if (isObject(value) && value["fixture"] === 1)
    throw new FixtureError(
      `${file} is a fixture already: play it with ${commandLine} replay, or see it with ${commandLine} show`,
    );
  if (isVcr(value) || (value === undefined && isCassette(text))) return "vcr";
  if (hasJsonExchanges(value)) return "json";
  throw new FixtureError(
    `${file}: it is none of the formats that are known: an HTTP archive, a cassette of VCR (Python, Ruby, R or Go), requests with their responses in JSON, or a fixture file of aimock; name its format with --from`,
  );
}

/** A cassette in JSON has requests with their responses too, but names its statuses and bodies otherwise. */
function isVcr(value: unknown): boolean {
  return isObject(value) && (Array.isArray(value["http_interactions"]) || Array.isArray(value["interactions"]));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
