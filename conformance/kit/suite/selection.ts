// Chooses the cases and variants that a person asked for.

import type { Shard } from "../../../schemas/types.ts";
import type { SuiteCase } from "./types.ts";
import { allVariants, isStreamedVariant, variantsOf } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** What to run. Absent or empty: everything. Several values of one kind are alternatives; kinds add up. */
export interface Selection {
  /** Ids, parts of ids, or patterns with `*`. */
  cases?: string[];
  /** The requirement that a case tests. */
  requires?: string[];
  /** A feature that a case needs. */
  features?: string[];
  /** A provider, or `generic`. */
  providers?: string[];
  /** Names of variants, a seam or transport alone, `streamed` for every one that streams, or patterns with `*`. */
  variants?: string[];
}

/** Every transport that streams. */
const streamed = "streamed";

/** A case on one variant. */
export interface Selected {
  entry: SuiteCase;
  variant: Variant;
}

/** Whether it leaves nothing out. */
export function isWhole(selection: Selection): boolean {
  return Object.values(selection).every((wanted) => Array.isArray(wanted) && wanted.length === 0);
}

/** The selected variants, in the order of the cases. */
export function select(cases: readonly SuiteCase[], selection: Selection): Selected[] {
  const { cases: patterns, requires, features, providers, variants } = selection;
  const chosen = cases.filter(
    ({ id, case: source }) =>
      any(patterns, (pattern) => matchesId(pattern, id)) &&
      any(requires, (requirement) => source.requires[0] === requirement) &&
      any(features, (feature) => source.features?.includes(feature) ?? false),
  );
  return chosen.flatMap((entry) =>
    variantsOf(entry.case)
      .filter(
        (variant) =>
          any(providers, (provider) => variant.seam === provider) &&
          any(variants, (name) => matchesVariant(name, variant)),
      )
      .map((variant) => ({ entry, variant })),
  );
}

/**
 * One of `count` parts of a selection, none of which has more than one variant more than another. Every variant is in exactly one.
 * @see REPORT-8
 */
export function shardOf(selected: readonly Selected[], { index, count }: Shard): Selected[] {
  return selected.filter((_, position) => position % count === index - 1);
}

/** The names that `--variant` takes: whole names, a seam or transport alone, or `streamed`. */
export const variantNames: readonly string[] = [
  ...new Set([...allVariants.flatMap(({ name }) => [name, ...name.split("/")]), streamed]),
];

/** Whether a name or a pattern of `--variant` means a variant. */
export function matchesVariant(wanted: string, variant: Variant): boolean {
  const { name } = variant;
  if (wanted === streamed) return isStreamedVariant(variant);
  return wanted.includes("*") ? matchesPattern(wanted, name) : name === wanted || name.split("/").includes(wanted);
}

/** Whether `--variant` can mean it: a name, or a pattern that fits one. */
export function isVariantName(wanted: string): boolean {
  return allVariants.some((variant) => matchesVariant(wanted, variant));
}

function matchesId(pattern: string, id: string): boolean {
  const wanted = pattern.replace(/^conformance\/cases\//, "").replace(/\.yaml$/, "");
  return wanted.includes("*") ? matchesPattern(wanted, id) : id.includes(wanted);
}

/** Few patterns are held against every case. */
const expressions = new Map<string, RegExp>();

/** Whether a text is what a pattern says, in which `*` stands for any text. */
export function matchesPattern(pattern: string, text: string): boolean {
  let expression = expressions.get(pattern);
  if (!expression) {
    const escaped = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    expression = new RegExp(`^${escaped.join(".*")}$`);
    expressions.set(pattern, expression);
  }
  return expression.test(text);
}

function any(wanted: readonly string[] | undefined, matches: (value: string) => boolean): boolean {
  return wanted === undefined || wanted.length === 0 || wanted.some(matches);
}
