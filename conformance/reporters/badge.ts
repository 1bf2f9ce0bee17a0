// Writes the badge of a run, as shields.io reads it from an address.

import { exitCodeOf } from "../kit/index.ts";
import { counted } from "../kit/base/plural.ts";
import type { Report } from "../kit/index.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";

/** @see https://shields.io/badges/endpoint-badge */
export function badgeReporter({ write }: Pick<ReporterContext, "write">): Reporter {
  return {
    end(report) {
      const isRed = exitCodeOf({ report }) !== 0;
      const profiles = report.profiles?.join(", ");
      const badge = {
        schemaVersion: 1,
        label: `agent loop spec ${report.spec}`,
        message: profiles === undefined ? message(report) : `${profiles}: ${message(report)}`,
        color: isRed ? "red" : colorOf(report),
        ...(isRed && { isError: true }),
      };
      write(`${JSON.stringify(badge)}\n`);
    },
  };
}

/** As green as what was seen: less where some of it is known to fail, or was left out and no profile says what has to be there. */
function colorOf({ totals, requirements, profiles, one_at_a_time: isHeldBack }: Report): string {
  const known = requirements?.known ?? 0;
  if (known > 0 && known >= requirements!.kept) return "orange";
  if (totals["expected-fail"] > 0) return "yellowgreen";
  return isHeldBack || (totals.unsupported > 0 && profiles === undefined) ? "green" : "brightgreen";
}

/** Of the requirements that were seen, how many are kept; of reports of older kits, how many variants pass. */
function message(report: Report): string {
  const { totals, requirements, level, start_error: startError, problems = [], one_at_a_time: isHeldBack } = report;
  if (startError !== undefined) return "driver does not start";
  const { selected, unsupported, "not-applicable": notApplicable } = totals;
  const meant = selected - unsupported - notApplicable;
  if (meant === 0) return "nothing executed";
  const wrong = problems.length === 0 ? "" : `, ${problems.length} wrong beside them`;
  if (!requirements) return `${totals.pass} of ${meant} pass${wrong}`;
  const { kept, broken, known, not_seen: unseen } = requirements;
  const parts = [`${kept} of ${kept + broken + known} ${level === undefined ? "" : `${level} `}kept`];
  if (known > 0) parts.push(`${known} known to fail`);
  if (unseen > 0) parts.push(`${unseen} not seen`);
  if (unsupported > 0) parts.push(`${counted(unsupported, "variant")} unsupported`);
  const missed = totals["not-run"];
  if (missed > 0) parts.push(`${missed} not run`);
  if (isHeldBack) parts.push("one run at a time");
  return parts.join(", ") + wrong;
}
