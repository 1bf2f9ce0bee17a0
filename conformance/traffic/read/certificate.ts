// Says what recorded traffic certifies: that every essential requirement that requests show was seen to be kept.

import type { Report } from "../../kit/run/make-report.ts";
import { requirementVerdicts } from "../../kit/run/requirement-verdicts.ts";
import type { Requirement } from "../../kit/suite/catalogue.ts";
import { occasions } from "./occasions.ts";

/** What is certified, and what is missing. */
export interface TrafficCertificate {
  certified: boolean;
  /** The essential requirements that requests show, of the providers that were asked. */
  required: string[];
  kept: string[];
  broken: string[];
  /** Those for which no recording had an occasion, or of which it proves nothing. */
  missing: string[];
}

/** The certificate for all recordings of an audit together. @see FIXTURE-12 */
export function trafficCertificate(
  { variants }: Pick<Report, "variants">,
  requirements: ReadonlyMap<string, Requirement>,
): TrafficCertificate {
  const required = requirementVerdicts(variants).filter(
    ({ id, outcome }) =>
      requirements.get(id)?.level === "essential" &&
      outcome !== "not_applicable" &&
      (Object.hasOwn(occasions, id) || outcome === "broken"),
  );
  const idsOf = (wanted: readonly string[]) =>
    required.filter(({ outcome }) => wanted.includes(outcome)).map(({ id }) => id);
  const kept = idsOf(["kept"]);
  const broken = idsOf(["broken", "known"]);
  const certified = required.length > 0 && kept.length === required.length;
  return { certified, required: required.map(({ id }) => id), kept, broken, missing: idsOf(["not_seen"]) };
}

/** The certificate in one line. */
export function certificateLine({ certified, required, kept, broken, missing }: TrafficCertificate): string {
  const of = `of ${required.length} essential requirements that requests show`;
  if (certified) return `certified from traffic: all ${of} are kept`;
  if (broken.length > 0) return `not certified from traffic: ${broken.length} ${of} are broken`;
  return `not certified from traffic: ${kept.length} ${of} are kept, and none is broken; no occasion for ${missing.join(", ")}`;
}
