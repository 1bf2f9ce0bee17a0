// Makes the cells of a row from a report and from what scripts showed: one for each essential requirement, and red only with a script.

import type { MatrixCell, MatrixRequirement } from "../../schemas/types.ts";
import type { Catalogue, Report, Suite, VariantResult } from "../kit/index.ts";
import { requirementVerdicts } from "../kit/run/requirement-verdicts.ts";
import type { JudgedRequirement } from "../kit/run/requirement-verdicts.ts";
import { sentenceOf } from "../reporters/requirements.ts";
import { evidenceOf } from "./evidence.ts";
import type { RanScript } from "./scripts.ts";

/** What is seen of a requirement, before any script. */
type Seen = NonNullable<MatrixCell["providers"]>[string];

/** The essential requirements that hold today, as the matrix says them. */
export function essentialRequirements({
  requirements,
}: Pick<Catalogue, "requirements">): Record<string, MatrixRequirement> {
  const essential = [...requirements.values()].filter(
    ({ level, untestable }) => level === "essential" && untestable === undefined,
  );
  return Object.fromEntries(
    essential.map(({ id, severity, text, level_reason, file, line, dialect }) => [
      id,
      {
        severity: severity!,
        text,
        without: level_reason,
        at: `${file}:${line}`,
        ...(dialect !== undefined && { dialect }),
      },
    ]),
  );
}

/**
 * One cell for each essential requirement.
 * @param scripts what showed a breach without the kit, and what did not
 */
export function cellsOf(
  report: Pick<Report, "variants">,
  { catalogue }: Pick<Suite, "catalogue">,
  scripts: readonly RanScript[],
): Record<string, MatrixCell> {
  const judged = new Map(requirementVerdicts(report.variants).map((one) => [one.id, one]));
  const byProvider = providersOf(report.variants);
  return Object.fromEntries(
    Object.keys(essentialRequirements(catalogue)).map((id) => {
      const own = scripts.filter(({ shows }) => shows.includes(id)).map(({ result }) => result);
      const cell = cellOf(
        judged.get(id),
        report.variants,
        own.some(({ shows }) => shows),
      );
      const providers = byProvider.get(id);
      return [
        id,
        {
          ...cell,
          ...(providers && providers.size > 0 && { providers: Object.fromEntries(providers) }),
          ...(own.length > 0 && { scripts: own }),
        },
      ];
    }),
  );
}

function cellOf(
  judged: JudgedRequirement | undefined,
  variants: readonly VariantResult[],
  isConfirmed: boolean,
): MatrixCell {
  if (!judged) return { outcome: "not_seen", reason: "nothing that was played is about it" };
  const { id, outcome, counts, broken } = judged;
  const [example] = broken;
  if (!example) {
    const reason = outcome === "kept" ? undefined : reasonFor(id, variants);
    const isKnown = outcome === "known" ? "unconfirmed" : outcome;
    return { outcome: isKnown, ...(counts.kept && { kept: counts.kept }), ...(reason !== undefined && { reason }) };
  }
  return {
    outcome: isConfirmed ? "broken" : "unconfirmed",
    ...(counts.kept && { kept: counts.kept }),
    broken: broken.length,
    sentence: sentenceOf({ id, example }),
    evidence: evidenceOf({ id, example }),
  };
}

/** The reason that is given most often, with the providers that the loop speaks to if there is one. */
function reasonFor(id: string, variants: readonly VariantResult[]): string | undefined {
  const played = [...playedByProvider(variants).values()].flat();
  return commonReason(id, played) ?? commonReason(id, variants);
}

function commonReason(id: string, variants: readonly VariantResult[]): string | undefined {
  const reasons = variants
    .filter(({ variant }) => variant !== "generic")
    .flatMap(({ requirement, reason, findings = [] }) => {
      const own = findings.find((one) => one.requirement === id);
      const given = own?.reason ?? (requirement === id ? reason : undefined);
      return given === undefined ? [] : [given];
    });
  const byReason = [...Map.groupBy(reasons, (reason) => reason)];
  return byReason.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

/** The worst that was seen of each requirement with each provider. */
function providersOf(variants: readonly VariantResult[]): Map<string, Map<string, Seen>> {
  const seen = new Map<string, Map<string, Seen>>();
  for (const [provider, own] of playedByProvider(variants))
    for (const { id, outcome } of requirementVerdicts(own)) {
      const providers = seen.get(id) ?? new Map<string, Seen>();
      seen.set(id, providers.set(provider, outcome === "known" ? "broken" : outcome));
    }
  return seen;
}

/** The variants of each provider with which something was played. */
export function playedByProvider(variants: readonly VariantResult[]): Map<string, VariantResult[]> {
  const onWire = variants.filter(({ variant }) => variant.includes("/"));
  const byProvider = Map.groupBy(onWire, ({ variant }) => variant.split("/")[0]!);
  const isPlayed = ({ verdict }: VariantResult) =>
    ["pass", "fail", "expected-fail", "unexpected-pass"].includes(verdict);
  return new Map([...byProvider].filter(([, own]) => own.some(isPlayed)));
}
