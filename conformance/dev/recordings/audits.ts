// Audits the recorded requests of other programs: what the audit says of real traffic must be true, so each kind has its reason.

import { auditFixture } from "../../traffic/read/audit-fixture.ts";
import type { Difference } from "./difference.ts";
import type { Recording } from "./recording.ts";
import { toFixture } from "./round-trip.ts";

/** What was audited. */
export interface AuditCounts {
  requests: number;
  conversations: number;
  notes: number;
  /** Breaches in requests that the server refused too. */
  confirmed: number;
  /** Breaches in requests that the server took. */
  differences: Difference[];
}

/** Audits every recording. */
export async function checkAudits(recordings: Recording[]): Promise<AuditCounts> {
  const counts: AuditCounts = { requests: 0, conversations: 0, notes: 0, confirmed: 0, differences: [] };
  for (const recording of recordings) {
    const { file, exchanges } = recording;
    const { requests, conversations, findings } = await auditFixture(toFixture(recording));
    counts.requests += requests;
    counts.conversations += conversations;
    for (const { level, exchange, pointer, message, rule, requirement } of findings) {
      if (level === "note") counts.notes += 1;
      else if (rule !== undefined && exchanges[exchange - 1]!.response.status >= 400) counts.confirmed += 1;
      else
        counts.differences.push({
          file,
          exchange,
          kind: `audit/${rule ?? requirement}`,
          detail: `${pointer} ${message}`,
        });
    }
  }
  return counts;
}
