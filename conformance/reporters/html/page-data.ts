// What the page of a report is made from: everything that is shown, once, and nothing else. Types only.

import type {
  FailureCode,
  HeardEvent,
  RequirementTotals,
  Totals,
  Verdict,
  WireExchange,
} from "../../../schemas/types.ts";
import type { Change } from "./difference.ts";

export interface PageData {
  /** Who was tested: name, version and language, or how the driver was called. */
  title: string;
  /** Facts about the run, with their names. */
  facts: [name: string, value: string][];
  /** What makes the run red beside its variants, with its place or its name. */
  problems: { name: string; message: string }[];
  /** The requirements that are broken and not listed, worst severity first. */
  broken: PageBroken[];
  /** How many requirements of each level have which verdict. */
  levels: { level: string; counts: Partial<Record<Exclude<keyof RequirementTotals, "selected">, number>> }[];
  /** What was seen where several behaviours are right, each with the question and what this specification does. */
  observed: PageObserved[];
  totals: Totals;
  /** The requirements that the checks and failures name, by id. */
  requirements: Record<string, PageRequirement>;
  /** What the features mean that the checks need, by name. */
  features: Record<string, string>;
  checks: PageCheck[];
}

export interface PageObserved {
  policy: string;
  question: string;
  /** The choices that were seen, in words. */
  words: string;
  /** The choice of this specification. */
  spec: string;
}

export interface PageBroken {
  id: string;
  level?: string;
  severity?: string;
  /** What happened to the user. */
  sentence: string;
  /** What it means for a user; only where it is essential. */
  without?: string;
  /** In how much of the run it is broken. */
  extent: string;
  /** The check and the variant that show it best, and the title of the case. */
  check: string;
  variant: string;
  title: string;
  /** The error with which that run ended. */
  error?: string;
}

export interface PageRequirement {
  text: string;
  why?: string;
  /** File and line. */
  at: string;
}

export interface PageCheck {
  /** case-id#requirement. */
  id: string;
  case: string;
  /** The folder of the case. */
  area: string;
  requirement: string;
  title: string;
  /** The file of the case, as seen from the package. */
  file: string;
  features: string[];
  results: PageResult[];
}

export interface PageResult {
  variant: string;
  verdict: Verdict;
  ms: number;
  reason?: string;
  failures?: PageFailure[];
  exchanges?: WireExchange[];
  events?: HeardEvent[];
  /** Exchanges and events were left out, to keep the page small. */
  shortened?: true;
  line?: number;
  repro?: string;
}

export interface PageFailure {
  code: FailureCode;
  requirement?: string;
  message: string;
  /** Absent if nothing was compared. */
  changes?: Change[];
}
