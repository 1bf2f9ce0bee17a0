// What is seen of a run before it begins: nothing yet, and the session that it begins with.

import type { InitializeResult } from "../../../schemas/types.ts";
import { ExpectedSession } from "./expected-session.ts";
import type { FilledCase } from "../suite/fill-case.ts";
import { agentsOf, firstAgent } from "../suite/case-agents.ts";
import type { Observation } from "./observation.ts";
import type { Variant } from "../suite/variant.ts";

/** Which run is observed. */
interface Observed {
  filled: FilledCase;
  /** The id of the session that the run begins with. */
  sessionId: string;
  variant: Variant;
  driver: InitializeResult;
  /** What the driver has to send as its API key. */
  apiKey: string;
}

/** The observation of a run that has not begun. */
export function beginObservation({ filled, sessionId, variant, driver, apiKey }: Observed): Observation {
  const { given } = filled.case;
  return {
    filled,
    sessionId,
    variant,
    driver,
    ...(variant.seam !== "generic" && { apiKey }),
    path: [],
    subruns: [],
    requests: [],
    executions: [],
    aborted: [],
    hooks: [],
    guardrails: [],
    findings: [],
    instructions: [],
    toolsets: [],
    mcpCalls: [],
    mcpListed: new Map(),
    ...(given.journal && {
      journal: {
        records: [],
        appends: 0,
        ended: 0,
        appendedLast: 0,
        isUnderWay: false,
        interrupted: new Set<string>(),
      },
    }),
    progress: [],
    events: [[]],
    results: [],
    next: [],
    nextRequests: [],
    summaries: [],
    answers: [],
    askedAfterLoss: 0,
    disturbed: false,
    expected: new ExpectedSession(given.messages, Object.keys(agentsOf(given)), {
      agent: firstAgent(given),
      ...(given.context && { context: given.context }),
    }),
    exchanges: [],
    failures: [],
  };
}
