// Shows the edit that plants a fault: where it is, and what stands there instead.

import { existsSync, readFileSync } from "node:fs";
import { diffLines } from "diff";
import { packagePath } from "../../kit/base/package-root.ts";
import type { Fault } from "./faults.ts";

/**
 * The place, and the edit as lines that begin with `-`, `+` or a blank: whole lines of the file where the package has it, else what
 * is replaced alone.
 * @param place where the index has the fault, as `file#declaration`
 */
export function* editLines(fault: Fault, place = ""): Generator<string> {
  const { file, replace, by } = fault;
  const source = existsSync(packagePath(file)) ? readFileSync(packagePath(file), "utf8") : "";
  const at = source.indexOf(replace);
  const line = at < 0 ? "" : `:${source.slice(0, at).split("\n").length}`;
  const before = at < 0 ? replace : wholeLines(source, at, at + replace.length);
  const after = before.replace(replace, () => by);
  yield `${file}${line}  ${place.split("#")[1] ?? ""}`.trimEnd();
  for (const { value, added, removed } of diffLines(`${before}\n`, after === "" ? "" : `${after}\n`))
    for (const text of value.replace(/\n$/, "").split("\n")) yield `${added ? "+" : removed ? "-" : " "} ${text}`;
}

function wholeLines(source: string, from: number, to: number): string {
  const end = source.indexOf("\n", to);
  return source.slice(source.lastIndexOf("\n", from) + 1, end < 0 ? undefined : end);
}
