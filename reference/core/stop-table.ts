// What follows a response, by its stop reason and whether it has calls. Generated from spec/stop-table.json by
// `npm run generate`. Do not edit.

import type { ErrorKind, Outcome, RunStatus, StopReason, WarningCode } from "../../schemas/types.ts";

/** What the loop does after a response, and with what the run ends or a call is answered. */
export interface StopRow {
  do: "execute" | "finish" | "recover" | "fail";
  status?: RunStatus;
  answer?: Outcome;
  error?: ErrorKind;
  warning?: WarningCode;
}

export const stopTable = {
  tool_use: {
    no_calls: { do: "finish", status: "completed", warning: "tool_use_without_calls" },
    calls: { do: "execute" },
  },
  end_turn: {
    no_calls: { do: "finish", status: "completed" },
    calls: { do: "execute" },
  },
  max_tokens: {
    no_calls: { do: "finish", status: "max_tokens" },
    calls: { do: "recover", status: "max_tokens", answer: "not_executed" },
  },
  context_window_exceeded: {
    no_calls: { do: "finish", status: "max_tokens" },
    calls: { do: "recover", status: "max_tokens", answer: "not_executed" },
  },
  stop_sequence: {
    no_calls: { do: "finish", status: "completed" },
    calls: { do: "finish", status: "completed", answer: "not_executed" },
  },
  refusal: {
    no_calls: { do: "finish", status: "refused" },
    calls: { do: "finish", status: "refused", answer: "not_executed" },
  },
  content_filter: {
    no_calls: { do: "finish", status: "refused" },
    calls: { do: "finish", status: "refused", answer: "not_executed" },
  },
  pause: {
    no_calls: { do: "fail", error: "pause_limit" },
    calls: { do: "fail", error: "pause_limit", answer: "not_executed" },
  },
  error: {
    no_calls: { do: "fail" },
    calls: { do: "fail", answer: "interrupted" },
  },
  interrupted: {
    no_calls: { do: "fail" },
    calls: { do: "fail", answer: "interrupted" },
  },
  other: {
    no_calls: { do: "finish", status: "incomplete" },
    calls: { do: "finish", status: "incomplete", answer: "not_executed" },
  },
} as const satisfies Record<StopReason, { no_calls: StopRow; calls: StopRow }>;
