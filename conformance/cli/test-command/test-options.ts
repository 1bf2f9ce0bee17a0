// The options of the command `test`.

import type { Shard } from "../../kit/index.ts";
import type { JudgedLevel } from "../../kit/suite/levels.ts";

/** The options of the command line. */
export interface TestOptions {
  driver: string[];
  relay?: string;
  case?: string[];
  cases?: string;
  requires?: string[];
  feature?: string[];
  provider?: string[];
  variant?: string[];
  level?: JudgedLevel;
  reporter?: string[];
  details: "failures" | "all";
  shard?: Shard;
  knownFailures?: string;
  updateKnownFailures?: boolean;
  suite?: string;
  jobs: number;
  timeout: number;
  seed?: number;
  splits?: number;
  split?: number[];
  probe?: boolean;
  watch?: boolean;
  stage?: string;
  score?: string;
}
