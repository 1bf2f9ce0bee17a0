// Rewrites a list of known failures that names checks as one that names requirements, without a run.

import { YAMLSeq, isSeq, parseDocument } from "yaml";
import type { YAMLMap } from "yaml";
import type { FailureCode, KnownBreach, KnownFailure } from "../../../schemas/types.ts";
import { isCrash } from "./known-breaches.ts";
import type { KnownFailureList } from "./known-failures.ts";
import { isNamed } from "./named-in-list.ts";

/** The list as it is now, and what was done. */
export interface MigratedList {
  text: string;
  /** Entries of checks that became entries of requirements. */
  moved: number;
  /** Those that stay, and why. */
  stay: { entry: KnownFailure; why: string }[];
}

/**
 * Rewrites the list. Each entry of a check becomes one of the requirement that the check tests, in the cases and variants that it names;
 * entries with one reason become one. A crash stays an entry of its check, because it says nothing of a requirement.
 * @param checks every check of the suite
 * @see KIT-32
 */
export function migratedKnownFailures(text: string, list: KnownFailureList, checks: readonly string[]): MigratedList {
  const document = parseDocument(text);
  const found = document.get("failures");
  const items = isSeq(found) ? (found.items as YAMLMap[]) : [];
  // What stands before the first entry, the parser takes for a comment of the list.
  if (isSeq(found) && items[0] && found.commentBefore) {
    items[0].commentBefore = found.commentBefore;
    found.commentBefore = null;
  }
  const stay: MigratedList["stay"] = [];
  const groups = new Map<string, { breach: KnownBreach; comment: string | null | undefined }>();
  const left = list.entries.flatMap((entry, index) => {
    const named = checks.filter((check) => isNamed(entry.check, check));
    const why = whyNot(entry.code, named);
    if (why !== undefined) {
      stay.push({ entry, why });
      return [items[index]!];
    }
    for (const check of named) add(groups, entry, check, items[index]?.commentBefore);
    return [];
  });
  const breaches = [...groups.values()].map(({ breach, comment }) => {
    const node = document.createNode(breach);
    if (comment) node.commentBefore = comment;
    return node;
  });
  const before = document.get("requirements");
  const requirements = new YAMLSeq();
  requirements.items = [...(isSeq(before) ? before.items : []), ...breaches];
  document.set("requirements", requirements);
  if (left.length === 0) document.delete("failures");
  else if (isSeq(found)) found.items = left;
  return {
    text: isJson(text) ? `${JSON.stringify(document.toJS(), undefined, 2)}\n` : document.toString({ lineWidth: 0 }),
    moved: list.entries.length - left.length,
    stay,
  };
}

/** JSON stays JSON, for other readers of the file. */
function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}

function whyNot(code: FailureCode, named: readonly string[]): string | undefined {
  if (isCrash({ failures: [{ code, message: "" }] })) return `${code} says nothing of a requirement`;
  return named.length === 0 ? "it names no check of the suite" : undefined;
}

/** Entries are one where they say the same of the same requirement. */
function add(
  groups: Map<string, { breach: KnownBreach; comment: string | null | undefined }>,
  { variants, reason, issue, expires }: KnownFailure,
  check: string,
  comment: string | null | undefined,
): void {
  const [id = "", requirement = ""] = check.split("#");
  const key = JSON.stringify([requirement, variants, reason, issue, expires]);
  const cases = new Set([...(groups.get(key)?.breach.cases ?? []), id]);
  const breach: KnownBreach = {
    requirement,
    cases: [...cases].sort(),
    ...(variants && { variants }),
    reason,
    ...(issue !== undefined && { issue }),
    ...(expires !== undefined && { expires }),
  };
  groups.set(key, { breach, comment: groups.get(key)?.comment ?? comment });
}
