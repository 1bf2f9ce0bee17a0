// Divides the suite into profiles: lists of required checks that an implementation can keep, and be certified for, by name.

import { isExpressible } from "./expressible.ts";
import { fillCase } from "./fill-case.ts";
import type { ProviderCodec, ProviderName } from "../wire/codec.ts";
import { testedAt } from "./levels.ts";
import type { JudgedLevel } from "./levels.ts";
import type { Suite, SuiteCase } from "./types.ts";
import { providers, variantsOf } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** A check that a profile requires. */
export interface RequiredCheck {
  /** case-id#requirement. */
  check: string;
  /** The variants that can be expressed, on the seams of the profile. */
  variants: string[];
  /** Features that the check needs beside that of the profile: it is required where all of them are declared. */
  needs: string[];
}

/** Something that an implementation can be certified for. */
export interface Profile {
  name: string;
  /** What it is, in one sentence. */
  text: string;
  checks: RequiredCheck[];
  /** What is broken beyond this level does not count. Absent: everything does. */
  level?: JudgedLevel;
}

/** Not something that a loop does for its users: without it, what takes time cannot be proven. So it is never optional. */
const ofTheTest = "clock.virtual";

/** The names of the profiles, in their order. */
export function profileNames({ catalogue }: Pick<Suite, "catalogue">): string[] {
  return ["essential", "core", "portable", ...providers, "providers", ...catalogue.features.keys()];
}

/** The profiles of a suite: the levels without features, each provider and all of them, and each feature. */
export async function profilesOf({ cases, catalogue }: Suite): Promise<Profile[]> {
  const known = await expressibleVariants(cases);
  const plain = cases.filter(({ case: { features = [] } }) => features.length === 0);
  const required = (entries: SuiteCase[], isOn: (variant: Variant) => boolean, feature?: string): RequiredCheck[] =>
    entries.flatMap((entry) => {
      const variants = known.get(entry)!.filter(isOn);
      return variants.length === 0 ? [] : [requiredCheck(entry, variants, feature)];
    });
  const upTo = (level: JudgedLevel) =>
    plain.filter(({ case: { requires } }) => testedAt(requires, catalogue.requirements, level) !== undefined);
  const isGeneric = ({ seam }: Variant) => seam === "generic";
  return [
    {
      ...{ name: "essential", text: "What hurts every user, on each seam that the driver speaks." },
      ...{ level: "essential", checks: required(upTo("essential"), () => true) },
    },
    {
      ...{ name: "core", text: "The loop, on the generic seam." },
      ...{ level: "core", checks: required(upTo("core"), isGeneric) },
    },
    {
      ...{ name: "portable", text: "The loop with its sessions, events and results, on the generic seam." },
      ...{ level: "portable", checks: required(plain, isGeneric) },
    },
    ...providers.map((provider) => ({
      name: provider,
      text: `The loop and its adapter for ${provider}, on the wire.`,
      checks: required(plain, ({ seam }) => seam === provider),
    })),
    {
      name: "providers",
      text: "The loop and its adapters for all providers, on the wire.",
      checks: required(plain, ({ seam }) => seam !== "generic"),
    },
    ...[...catalogue.features].map(([name, text]) => ({
      name,
      text,
      checks: required(
        cases.filter(({ case: { features = [] } }) => features.includes(name)),
        () => true,
        name,
      ),
    })),
  ];
}

function requiredCheck({ id, case: source }: SuiteCase, variants: Variant[], feature?: string): RequiredCheck {
  return {
    check: `${id}#${source.requires[0]}`,
    variants: variants.map(({ name }) => name),
    needs: (source.features ?? []).filter((needed) => needed !== feature && needed !== ofTheTest),
  };
}

/** The variants of each case that can be expressed at all, by any driver. */
export async function expressibleVariants(cases: readonly SuiteCase[]): Promise<Map<SuiteCase, Variant[]>> {
  const { codecs } = await import("../wire/codecs.ts");
  return new Map(cases.map((entry) => [entry, variantsOfCase(entry, codecs)]));
}

/** Nobody changes a case. */
const expressible = new WeakMap<SuiteCase, Variant[]>();

function variantsOfCase(entry: SuiteCase, codecs: Readonly<Record<ProviderName, ProviderCodec>>): Variant[] {
  const variants = expressible.get(entry) ?? findVariants(entry, codecs);
  expressible.set(entry, variants);
  return variants;
}

function findVariants(entry: SuiteCase, codecs: Readonly<Record<ProviderName, ProviderCodec>>): Variant[] {
  // Whether a script can be said does not depend on the words that are filled in.
  const filled = fillCase(entry.case, 1, entry.id);
  return variantsOf(entry.case).filter(
    (variant) => isExpressible(filled, variant, variant.seam === "generic" ? undefined : codecs[variant.seam]) === true,
  );
}
