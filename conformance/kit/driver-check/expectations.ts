// What the steps of `driver check` expect of a run, beyond what the schemas say.

import type { InitializeResult, ModelInvokeParams, RunResponse, ToolResultMessage } from "../../../schemas/types.ts";
import { Unexpected } from "./dialogue.ts";
import type { Dialogue, Message } from "./dialogue.ts";

/**
 * Everything that the driver reports has come; absent, `reports` means all.
 * @throws Unexpected
 * @see DRIVER-4
 */
export function expectReports(
  { reports = ["session", "events", "result"] }: InitializeResult,
  response: RunResponse,
  { notifications }: Dialogue,
): void {
  const isMissing = (report: string) => {
    if (report === "events") return !notifications.has("event");
    return report === "session" ? response.session === undefined : response.result === undefined;
  };
  const missing = reports.filter(isMissing);
  if (missing.length === 0) return;
  const advice =
    "a driver leaves what it cannot report out of reports in its answer to initialize; absent, it means everything";
  throw new Unexpected(`a run with ${reports.join(", ")}`, `one without ${missing.join(", ")}\n${advice}`);
}

/**
 * The run has ended so; a driver that reports no results is judged by what it asked for.
 * @throws Unexpected
 */
export function expectStatus(result: RunResponse["result"], status: string): void {
  if (result && result.status !== status)
    throw new Unexpected(`a result with status ${status}`, JSON.stringify(result.error ?? result.status));
}

/**
 * The request has the result of the call.
 * @throws Unexpected
 */
export function expectResult(
  { params }: Message,
  callId: string,
  what: string,
  fits: (result: ToolResultMessage) => boolean,
): void {
  const { messages } = (params as ModelInvokeParams).request;
  const result = messages.find((message) => message.type === "tool_result" && message.id === callId);
  if (result?.type !== "tool_result" || !fits(result))
    throw new Unexpected(`a request with a tool_result of ${callId} that has ${what}`, JSON.stringify(messages));
}
