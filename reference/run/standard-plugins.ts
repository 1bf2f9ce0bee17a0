// The standard plug-ins in their order, outermost first.

import { compaction } from "../plugins/compaction/compaction.ts";
import { guardrails } from "../plugins/guardrails.ts";
import { hooks } from "../plugins/hooks/hooks.ts";
import { journal } from "../plugins/journal.ts";
import { attemptEvents } from "../plugins/model/attempt-events.ts";
import { bounds } from "../plugins/model/bounds.ts";
import { budget, requestPrices } from "../plugins/model/budget.ts";
import { dynamicInstructions } from "../plugins/model/dynamic-instructions.ts";
import { idleTimeout } from "../plugins/model/idle-timeout.ts";
import { partialResponse } from "../plugins/model/partial-response.ts";
import { pausedResponses } from "../plugins/model/paused-responses.ts";
import { fallback, retry } from "../plugins/model/retry.ts";
import { stepReport } from "../plugins/model/step-report.ts";
import { structuredOutput } from "../plugins/model/structured-output.ts";
import { toolChoice } from "../plugins/model/tool-choice.ts";
import { uniqueCallIds } from "../plugins/model/unique-call-ids.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { contextVariables } from "../plugins/tools/context-variables.ts";
import { handoff } from "../plugins/tools/handoff.ts";
import { outputTool } from "../plugins/tools/output-tool.ts";
import { permissions } from "../plugins/tools/permissions.ts";
import { scheduling } from "../plugins/tools/scheduling.ts";
import { subagents } from "../plugins/tools/subagents.ts";
import { toolTimeout } from "../plugins/tools/tool-timeout.ts";
import { cutText, emptyResponses } from "../plugins/turns/continuation.ts";
import { dynamicTools } from "../plugins/turns/dynamic-tools.ts";
import { limits } from "../plugins/turns/limits.ts";
import { sessionLock } from "../plugins/turns/session-lock.ts";
import { runSource, stopRequest, validSession } from "../plugins/turns/start-and-stop.ts";
import { steering, switchModel } from "../plugins/turns/steering.ts";
import { finalResult, stopConditions } from "../plugins/turns/stop-conditions.ts";

/** The position of the user's plug-ins. */
const use: Plugin = { name: "use", attach: () => undefined };

export const standard: readonly Plugin[] = [
  // the run, from start to end
  sessionLock,
  runSource,
  validSession,
  journal,
  stopRequest,
  limits,
  steering,
  switchModel,
  // what users wrap around it
  outputTool,
  guardrails,
  hooks,
  use,
  // the model call and its response
  dynamicInstructions,
  structuredOutput,
  emptyResponses,
  cutText,
  toolChoice,
  dynamicTools,
  budget,
  stepReport,
  // the tool calls
  permissions,
  contextVariables,
  handoff,
  finalResult,
  stopConditions,
  toolTimeout,
  subagents,
  scheduling,
  // one request to the provider
  uniqueCallIds,
  pausedResponses,
  requestPrices,
  fallback,
  retry,
  attemptEvents,
  idleTimeout,
  bounds,
  partialResponse,
  compaction,
];
