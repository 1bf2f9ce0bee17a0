// Judges recorded traffic by requirement: which are kept, which are broken, and of which the recording shows nothing.

import type { Finding, Fixture, RequirementLevel } from "../../../schemas/types.ts";
import type { Requirement } from "../../kit/suite/catalogue.ts";
import { isWithin } from "../../kit/suite/levels.ts";
import { readAudit } from "./audit-fixture.ts";
import { hasRequest } from "./chains.ts";
import type { Finding as Found } from "./finding.ts";
import { occasions, providerOfRequirement, trafficOf } from "./occasions.ts";
import type { RecordedTraffic } from "./occasions.ts";
import { whyNotApplicable, whyUnseen } from "./unseen.ts";

/** What a recording shows. */
export interface JudgedTraffic {
  requests: number;
  conversations: number;
  /** One for each essential requirement, and for each other one of which the recording shows something. */
  findings: Finding[];
  /** Every place that shows a breach, in the order of the exchanges. */
  breaches: Found[];
  /** What the traffic alone does not prove, or what may be meant. */
  notes: Found[];
}

/** The requirements of the spec by id. */
type Requirements = ReadonlyMap<string, Requirement>;

/**
 * Judges the requests of a fixture.
 * @param level nothing beyond it is judged; absent: everything is
 * @see FIXTURE-9 FIXTURE-10
 */
export async function judgeTraffic(
  fixture: Fixture,
  requirements: Requirements,
  level?: RequirementLevel,
): Promise<JudgedTraffic> {
  const { exchanges, links, requests, findings } = await readAudit(fixture);
  const readable = exchanges.filter(hasRequest);
  const found = [...findings, ...refusedNextMessages(trafficOf(readable, links), findings)];
  const counts = (id: string) => isWithin(requirements.get(id)?.level, level);
  const seenBy = new Map<string | undefined, RecordedTraffic>();
  const seenFor = (id: string): RecordedTraffic => {
    const provider = providerOfRequirement(id);
    const seen = seenBy.get(provider) ?? trafficOf(readable, links, provider);
    seenBy.set(provider, seen);
    return seen;
  };
  const own = [...requirements.values()].filter((one) => one.level === "essential").map(({ id }) => id);
  const shown = Object.keys(occasions).filter((id) => occasions[id]!(seenFor(id)));
  const ids = [...new Set([...own, ...found.map(({ requirement }) => requirement), ...shown])].filter(counts);
  return {
    requests,
    conversations: requests - links.size,
    findings: ids.map((id) => findingOf(id, found, seenFor(id), requirements)),
    breaches: found.filter((one) => one.level === "broken" && counts(one.requirement)),
    notes: found.filter((one) => one.level === "note" && counts(one.requirement)),
  };
}

/** Further messages of the user that the provider refused for what the program had made of the conversation. @see SESSION-28 */
function refusedNextMessages({ nextMessages }: RecordedTraffic, found: readonly Found[]): Found[] {
  return nextMessages.flatMap(({ before, after }): Found[] => {
    const { number, exchange } = after;
    const rule = found.find((one) => one.exchange === number && one.level === "broken" && one.rule !== undefined);
    if (exchange.response.status < 400 || !rule) return [];
    const message = `after the run that ended with exchange ${before.number} the provider refused what the user said next: ${rule.message}`;
    return [{ ...rule, requirement: "SESSION-28", message }];
  });
}

function findingOf(
  requirement: string,
  found: readonly Found[],
  seen: RecordedTraffic,
  requirements: Requirements,
): Finding {
  const own = found.filter((one) => one.requirement === requirement);
  const breach = own.find(({ level }) => level === "broken");
  if (breach) return brokenFinding(breach, requirements.get(requirement));
  const reason = whyNotApplicable(requirement, seen);
  if (reason !== undefined) return { requirement, verdict: "not_applicable", reason };
  const [note] = own;
  if (note) return { requirement, verdict: "not_seen", reason: `the traffic does not prove it: ${note.message}` };
  if (occasions[requirement]?.(seen) && !isInDoubt(requirement, found)) return { requirement, verdict: "kept" };
  const doubt = isInDoubt(requirement, found) ? "what is broken beside it may be this" : undefined;
  return { requirement, verdict: "not_seen", reason: doubt ?? whyUnseen(requirement, seen) };
}

/** What is not said to be kept where the traffic breaks something that it cannot be distinguished from. */
const doubts: Readonly<Record<string, readonly string[]>> = {
  "PROVIDER-2": ["SESSION-6", "SESSION-7", "ANTHROPIC-3", "ANTHROPIC-4", "CHAT-3"],
  "PROVIDER-7": ["ANTHROPIC-9", "RESPONSES-3", "RESPONSES-4", "RESPONSES-5", "RESPONSES-6"],
  "PROVIDER-9": ["SESSION-6"],
  "PROVIDER-15": ["LOOP-1"],
  "SESSION-4": ["LOOP-1"],
  "SESSION-7": ["SESSION-6", "ANTHROPIC-4", "CHAT-3"],
  "SESSION-27": ["LOOP-1", "SESSION-6"],
  "SESSION-30": ["LOOP-1"],
  "SESSION-31": ["PROVIDER-7", "PROVIDER-8", "PROVIDER-20", "ANTHROPIC-9"],
  "ANTHROPIC-1": ["PROVIDER-26"],
  "ANTHROPIC-4": ["SESSION-6", "SESSION-7"],
  "ANTHROPIC-15": ["PROVIDER-15", "LOOP-1"],
  "ANTHROPIC-21": ["PROVIDER-26"],
  "CHAT-3": ["SESSION-6", "SESSION-7"],
  "CHAT-11": ["PROVIDER-15", "LOOP-1"],
  "CHAT-22": ["PROVIDER-26"],
  "RESPONSES-7": ["SESSION-6"],
};

function isInDoubt(requirement: string, found: readonly Found[]): boolean {
  const isRule =
    requirement === "PROVIDER-26" && found.some(({ level, rule }) => level === "broken" && rule !== undefined);
  return isRule || found.some((one) => doubts[requirement]?.includes(one.requirement));
}

function brokenFinding(
  { message, exchange, pointer, requirement, rule }: Found,
  known: Requirement | undefined,
): Finding {
  return {
    requirement,
    verdict: "broken",
    ...(known?.severity && { severity: known.severity }),
    message:
      rule === undefined || requirement === "SESSION-28" ? message : `the provider refuses the request: ${message}`,
    exchange,
    ...(pointer !== "" && { path: pointer }),
  };
}
