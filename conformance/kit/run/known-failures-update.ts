// Brings a file of known failures up to date with a run, and keeps what people wrote into it: reasons, comments, order.

import { isDeepStrictEqual } from "node:util";
import { YAMLSeq, isSeq, parse, parseDocument } from "yaml";
import type { Document, YAMLMap } from "yaml";
import type { KnownFailure, VariantResult } from "../../../schemas/types.ts";
import { updateBreaches } from "./known-breaches-update.ts";
import { isCrash } from "./known-breaches.ts";
import { codeOf, entryOf, failsAs, isJudged, unexplained } from "./known-failures.ts";
import type { KnownFailureList } from "./known-failures.ts";

const emptyFile = `# What this implementation is known to fail. Written by agent-loop test --update-known-failures; the reasons are yours.
known_failures: 1
requirements: []
`;

/**
 * The text of the file after a run of everything. What is broken and not listed is added by its requirement; in a list that has only
 * checks, and in any list for a crash, by its check.
 * @param text of the file so far; absent: there is none
 * @param list that was read from it; empty if there is none
 * @param results of the whole run, not judged beside a list
 */
export function updatedKnownFailures(
  text: string | undefined,
  list: KnownFailureList,
  results: readonly VariantResult[],
): string {
  const document = parseDocument(text ?? emptyFile);
  const isByRequirement = document.has("requirements");
  const items = itemsOf(document);
  const kept = list.entries.flatMap((entry, index) => {
    const named = results.filter((result) => entryOf(list, result) === entry);
    const item = items.items[index] as YAMLMap;
    if (holds(entry, named)) return [item];
    const [first, ...others] = entriesFor(named, results, entry);
    return first ? [rewritten(document, item, first), ...others.map((one) => document.createNode(one))] : [];
  });
  const unlisted = results.filter((result) => entryOf(list, result) === undefined);
  const ofChecks = isByRequirement ? unlisted.filter(isCrash) : unlisted;
  const added = entriesFor(ofChecks, results).map((entry) => document.createNode(entry));
  items.items = [...kept, ...added];
  if (items.items.length > 0) document.set("failures", items);
  if (isByRequirement)
    updateBreaches(
      document,
      list,
      unlisted.filter((result) => !isCrash(result)),
    );
  const value: unknown = document.toJS();
  if (text !== undefined && isDeepStrictEqual(value, parse(text))) return text;
  if (text !== undefined && isJson(text)) return `${JSON.stringify(value, undefined, 2)}\n`;
  // A list that was empty was written in one line.
  for (const name of ["requirements", "failures"]) {
    const entries = document.get(name);
    if (isSeq(entries) && entries.items.length > 0) entries.flow = false;
  }
  return document.toString({ lineWidth: 0 });
}

/** JSON stays JSON, for other readers of the file. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function itemsOf(document: Document): YAMLSeq {
  const found = document.get("failures");
  return isSeq(found) ? found : new YAMLSeq();
}

/** Whether every variant of the entry that was run failed as it says, and one was. */
function holds(entry: KnownFailure, results: readonly VariantResult[]): boolean {
  const ran = results.filter(isJudged);
  return ran.length > 0 && ran.every((result) => result.failures !== undefined && failsAs(entry, result));
}

/** An entry for each check and code among the results that failed; with the reason of `old`, which spoke of them so far. */
function entriesFor(
  results: readonly VariantResult[],
  all: readonly VariantResult[],
  old?: KnownFailure,
): KnownFailure[] {
  // A variant that passes can have broken something else, which makes the run red all the same.
  const failed = results.filter(({ failures }) => failures !== undefined);
  const groups = Map.groupBy(failed, (result) => `${result.check} ${codeOf(result)}`);
  return [...groups.values()].map((group) => {
    const [{ check, failures }] = group as [VariantResult];
    const ran = all.filter((one) => one.check === check && isJudged(one));
    return {
      check,
      ...(group.length < ran.length && { variants: group.map(({ variant }) => variant) }),
      code: failures![0]!.code,
      reason: old?.reason ?? `${unexplained}: ${failures![0]!.message.split("\n", 1)[0]}`,
      ...(old?.issue !== undefined && { issue: old.issue }),
      ...(old?.expires !== undefined && { expires: old.expires }),
    };
  });
}

/** The item with what has changed, so that its comments and its form stay. */
function rewritten(document: Document, item: YAMLMap, entry: KnownFailure): YAMLMap {
  item.set("check", entry.check);
  item.set("code", entry.code);
  if (entry.variants) item.set("variants", document.createNode(entry.variants, { flow: true }));
  else item.delete("variants");
  return item;
}
