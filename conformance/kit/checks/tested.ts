// What a case tests, for the checks that weigh what else may be wrong.

import type { RequirementSeverity } from "../../../schemas/types.ts";

/** What a case tests, and what breaking it does to a user. */
export interface Tested {
  requirement: string;
  severity: RequirementSeverity | undefined;
  /** It says what must not be sent or done; absent where that is not asked. */
  isProhibition?: boolean;
}
