// Of everything that failed, the one to mend first: what the earliest stage of the track needs, because later ones build on it.

import type { Report, Suite, VariantResult } from "../../kit/index.ts";
import { rankOf } from "../../kit/suite/levels.ts";
import { matchesPattern } from "../../kit/suite/selection.ts";
import { divide, readStages } from "./stages.ts";

/** Where a result stands: the number of its stage, the place of its case in it, and how much it hurts. Less is earlier. */
type Place = readonly [stage: number, inStage: number, severity: number];

const nowhere = [Infinity, Infinity] as const;

/**
 * The failed variant with which to begin: of the earliest stage, and there of the case that it names first. What is in no stage, because
 * it needs a feature of which none speaks, comes last, worst severity first. Nothing where no variant failed, or where the driver never
 * started.
 */
export async function beginHere(report: Report, { cases, catalogue }: Suite): Promise<VariantResult | undefined> {
  const failed = report.variants.filter(({ verdict }) => verdict === "fail");
  if (failed.length === 0 || report.start_error !== undefined) return undefined;
  const places = await placesOf(cases.filter(({ id }) => failed.some((result) => result.case === id)));
  return failed
    .map((result) => {
      const severity = rankOf(catalogue.requirements.get(result.requirement) ?? {});
      const place: Place = [...(places.get(`${result.case} ${result.variant}`) ?? nowhere), severity];
      return { result, place };
    })
    .reduce((first, next) => (isBefore(next.place, first.place) ? next : first)).result;
}

/** The stage of each variant of these cases, and the place in it. */
async function placesOf(cases: Suite["cases"]): Promise<Map<string, readonly [number, number]>> {
  const divided = await divide(readStages(), { cases });
  return new Map(
    divided.flatMap(({ stage, selected }) =>
      selected.map(({ entry: { id }, variant }) => {
        const inStage = stage.cases.findIndex((pattern) => matchesPattern(pattern, id));
        return [`${id} ${variant.name}`, [stage.number, inStage]] as const;
      }),
    ),
  );
}

function isBefore(left: Place, right: Place): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at >= 0 && left[at]! < right[at]!;
}
