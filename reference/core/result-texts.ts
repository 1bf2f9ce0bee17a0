// The texts of synthetic results. Generated from spec/result-texts.json by `npm run generate`. Do not edit.

import type { Outcome } from "../../schemas/types.ts";

export const resultTexts = {
  unknown_tool: { outcome: "unknown_tool", text: "There is no tool {name}, and nothing was executed. Available tools: {tools}." },
  not_an_object: { outcome: "invalid_arguments", text: "The arguments must be a JSON object, but were: {arguments} Nothing was executed. Call the tool again with complete arguments." },
  beyond_a_bound: { outcome: "invalid_arguments", text: "The arguments {reason}, and were not read. Nothing was executed. Call the tool again with smaller arguments." },
  wrong_arguments: { outcome: "invalid_arguments", text: "The arguments of {name} do not match its schema: {problems}. Nothing was executed. Correct them, and call the tool again." },
  wrong_changed_arguments: { outcome: "invalid_arguments", text: "The arguments were changed, and do not match the schema: {problems}. Nothing was executed. The mistake is not in your call." },
  denied: { outcome: "denied", text: "The call of {name} was not executed: {reason}. Do not repeat it unchanged." },
  skipped: { outcome: "skipped", text: "The call of {name} was skipped, and nothing was executed. Go on without it." },
  second_handoff: { outcome: "skipped", text: "The tool ran, but another call of this batch had already handed over, so this one did not." },
  unknown_agent: { outcome: "error", text: "The tool ran, but there is no agent {name} to hand over to. Agents: {agents}." },
  second_output: { outcome: "skipped", text: "Another call of this batch had already given the output, so this one does not count." },
  max_tokens: { outcome: "not_executed", text: "The response was cut off by the token limit, so its arguments may be incomplete. Nothing was executed. Send less at once." },
  context_window_exceeded: { outcome: "not_executed", text: "The response was cut off because the context window is full, so its arguments may be incomplete. Nothing was executed. Send less at once." },
  stop_sequence: { outcome: "not_executed", text: "The response was ended by a stop sequence, so this call may be incomplete. Nothing was executed. If the call is still needed, make it again." },
  refusal: { outcome: "not_executed", text: "The response was ended by a refusal. Nothing was executed. Go on without this call." },
  content_filter: { outcome: "not_executed", text: "The response was ended by a content filter. Nothing was executed. Go on without this call, or say it in other words." },
  pause: { outcome: "not_executed", text: "The response paused too often and was given up. Nothing was executed. If the call is still needed, make it again." },
  other: { outcome: "not_executed", text: "The response ended for an unknown reason, so it may be incomplete. Nothing was executed. If the call is still needed, make it again." },
  error: { outcome: "interrupted", text: "The model call failed before the response was complete. Nothing was executed. If the call is still needed, make it again." },
  interrupted: { outcome: "interrupted", text: "The response was interrupted before it was complete. Nothing was executed. If the call is still needed, make it again." },
  cancelled_before: { outcome: "cancelled", text: "The run was cancelled before this call was executed. Nothing was executed. If the call is still needed, make it again." },
  cancelled_while_running: { outcome: "cancelled", text: "The run was cancelled before this tool ended. It may have had effects: look before you repeat the call." },
  timeout: { outcome: "timeout", text: "The tool did not end within {ms} ms. It may have had effects: look before you repeat the call." },
  broke_before: { outcome: "interrupted", text: "The run broke off before this call was executed. Nothing was executed. If the call is still needed, make it again." },
  broke_while_running: { outcome: "interrupted", text: "The run broke off while this tool was running, and its result is lost. It may have had effects: look before you repeat the call." },
  never_answered: { outcome: "interrupted", text: "This call was never answered, and it is not known whether it was executed. It may have had effects: look before you repeat the call." },
  no_budget: { outcome: "not_executed", text: "The agent was not started: the run has cost as much as it may. Go on without it." },
  not_recorded: { outcome: "not_executed", text: "Nothing was executed: {reason}. If the call is still needed, make it again." },
} as const satisfies Record<string, { outcome: Outcome; text: string }>;

/** Why the loop answers a call itself. */
export type Situation = keyof typeof resultTexts;
