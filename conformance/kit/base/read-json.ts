// Reads the files that commands are given.

import { readFileSync } from "node:fs";
import { UsageError } from "./usage-error.ts";

/** The value of a file of JSON; `-` is stdin. @throws UsageError if there is none */
export function readJson(file: string): unknown {
  return parseJson(file, readText(file));
}

/** The text of a file; `-` is stdin. @throws UsageError if it cannot be read */
export function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (thrown) {
    throw new UsageError(`${file} cannot be read: ${(thrown as Error).message}`);
  }
}

/** The value of a text. @throws UsageError that names the file */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new UsageError(`${file}: expected JSON, but ${(thrown as Error).message}`);
  }
}
