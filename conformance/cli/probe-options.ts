// The options of the command `probe`.

import type { RequirementSeverity } from "../../schemas/types.ts";

/** How long one turn may take, in milliseconds, where nothing else is said. */
export const usualTimeoutMs = 60_000;

/** The options of the command line. */
export interface ProbeCommandOptions {
  agent?: string;
  continue?: string;
  env?: string[];
  scenario?: string[];
  requires?: string[];
  severity?: RequirementSeverity[];
  offline?: boolean;
  jobs: number;
  timeout: number;
  keep?: string;
  reporter?: string[];
  knownFailures?: string;
  updateKnownFailures?: boolean;
  install?: string;
  from?: string;
  runTools?: string;
  list?: boolean;
}
