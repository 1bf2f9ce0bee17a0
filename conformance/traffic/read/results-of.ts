// The results that a request has for the calls of an answer.

import type { Message, ModelResponse, ToolResultMessage } from "../../../schemas/types.ts";
import type { ReadableExchange } from "./chains.ts";

/** The results of the calls of an answer that a request has. */
export function resultsOf({ messages }: ModelResponse, { request }: ReadableExchange): ToolResultMessage[] {
  const calls = new Set(messages.flatMap((message: Message) => (message.type === "tool_call" ? [message.id] : [])));
  return request.messages.flatMap((message) =>
    message.type === "tool_result" && calls.has(message.id) ? [message] : [],
  );
}

/** Whether a result says that its call was not executed, or failed: in a field, or in words where the format has no field. */
export function saysError({ is_error, output }: ToolResultMessage): boolean {
  return is_error === true || errorWords.test(JSON.stringify(output));
}

const errorWords =
  /error|fail|invalid|malformed|unknown|not (been )?(executed|run|found)|cut off|truncated|interrupted|cancell?ed|denied|refused|skipped|no such|could not|cannot|unable/i;
