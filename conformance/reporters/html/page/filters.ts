// Says which results are shown, and writes it into the address, so that what somebody sees can be sent to somebody else.

import type { Verdict } from "../../../../schemas/types.ts";
import type { PageCheck, PageData, PageResult } from "../page-data.ts";
import { verdicts } from "./verdicts.ts";

/** What is shown. Empty: everything. */
export interface Filters {
  text: string;
  verdict: Verdict[];
  area: string;
  /** The first or the only part of a variant, or the whole of it. */
  provider: string;
  feature: string;
  /** An id, or the beginning of one. */
  requirement: string;
}

export const noFilters: Readonly<Filters> = {
  text: "",
  verdict: [],
  area: "",
  provider: "",
  feature: "",
  requirement: "",
};

/** The fragment that stands for filters. */
export function hashOfFilters(filters: Partial<Filters>): string {
  const words = Object.entries(filters).flatMap(([name, value]) =>
    value.length > 0 ? [[name, String(value)] as [string, string]] : [],
  );
  return `#?${new URLSearchParams(words)}`;
}

/** The filters that a fragment stands for; undefined if it names a place instead. */
export function filtersOfHash(hash: string): Filters | undefined {
  if (!hash.startsWith("#?")) return undefined;
  const words = new URLSearchParams(hash.slice(2));
  const word = (name: string) => words.get(name) ?? "";
  return {
    text: word("text"),
    verdict: verdicts.filter((verdict) => word("verdict").split(",").includes(verdict)),
    area: word("area"),
    provider: word("provider"),
    feature: word("feature"),
    requirement: word("requirement"),
  };
}

/** The results of a check that are shown; none if the check is not. */
export function matching(check: PageCheck, filters: Filters, data: PageData): PageResult[] {
  const { text, verdict, area, provider, feature, requirement } = filters;
  if (area !== "" && check.area !== area) return [];
  if (feature !== "" && !check.features.includes(feature)) return [];
  if (!isOfRequirement(check.requirement, requirement)) return [];
  const results = check.results.filter(
    (result) =>
      (verdict.length === 0 || verdict.includes(result.verdict)) &&
      (provider === "" || result.variant === provider || result.variant.startsWith(`${provider}/`)),
  );
  return text === "" || results.length === 0 || hasWords(check, results, text, data) ? results : [];
}

/** `LOOP` has LOOP-1 and all others, `LOOP-1` only itself. */
function isOfRequirement(id: string, wanted: string): boolean {
  const name = wanted.trim().toUpperCase();
  return name === "" || id === name || id.startsWith(name.endsWith("-") ? name : `${name}-`);
}

function hasWords(check: PageCheck, results: readonly PageResult[], text: string, data: PageData): boolean {
  const said = [
    check.id,
    check.title,
    data.requirements[check.requirement]?.text ?? "",
    ...results.flatMap(({ reason = "", failures = [] }) => [
      reason,
      ...failures.map(({ code, requirement, message }) => `${code} ${requirement} ${message}`),
    ]),
  ]
    .join("\n")
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
