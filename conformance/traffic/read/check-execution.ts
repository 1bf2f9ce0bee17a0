// Finds calls that were executed although nothing should have been: their results say no word of an error.

import type { Message, ModelResponse, ToolCallMessage } from "../../../schemas/types.ts";
import { forbidden } from "../../kit/checks/what-happened.ts";
import { brokenSchema } from "./breaks-schema.ts";
import type { Link } from "./chains.ts";
import { placeOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { resultsOf, saysError } from "./results-of.ts";
import { requestValue } from "../fixture/request-value.ts";

/** After which stop reasons calls are not executed, and by which requirement. */
const notExecuted: Partial<Record<ModelResponse["stop_reason"], string>> = {
  max_tokens: "LOOP-9",
  context_window_exceeded: "LOOP-9",
  stop_sequence: "LOOP-13",
  refusal: "LOOP-15",
  content_filter: "LOOP-15",
  other: "LOOP-17",
  error: "LOOP-19",
  interrupted: "LOOP-19",
};

/** A call that must not be executed, and by which requirement. */
export interface ForbiddenCall {
  call: ToolCallMessage;
  requirement: string;
  /** What is wrong with its arguments, where that is it. */
  detail?: string;
}

/**
 * The calls of an answer that must not be executed. A call with the id of another one is left out: whose result comes back cannot be said.
 * @see LOOP-9 LOOP-13 LOOP-15 LOOP-17 LOOP-19 TOOL-3 TOOL-5
 */
export function forbiddenCalls({ before }: Pick<Link, "before">): ForbiddenCall[] {
  const { messages, stop_reason } = before.answer;
  const byStop = notExecuted[stop_reason];
  const calls = messages.filter(isCall);
  const alone = calls.filter(({ id }) => calls.filter((one) => one.id === id).length === 1);
  return alone.flatMap((call) => {
    if (byStop !== undefined) return [{ call, requirement: byStop }];
    if (call.input === null) return [{ call, requirement: "TOOL-3" }];
    const tool = before.request.tools.find(({ name }) => name === call.name);
    const detail = tool && brokenSchema(call.input, tool.input_schema);
    return detail === undefined ? [] : [{ call, requirement: "TOOL-5", detail }];
  });
}

/** Those of them that seem to have been executed. */
export function checkExecution(link: Link): Finding[] {
  const { before, after } = link;
  const results = resultsOf(before.answer, after);
  return forbiddenCalls(link).flatMap(({ call, requirement, detail }): Finding[] => {
    const result = results.find(({ id }) => id === call.id);
    if (!result || saysError(result)) return [];
    const why = `${forbidden[requirement]}${detail === undefined ? "" : ` (${detail})`}`;
    const message = `${call.name} was executed ${why}: the result of its call ${call.id} of exchange ${before.number} is no error`;
    // Only one format says of a result whether it is an error.
    const level = before.provider === "anthropic-messages" ? "broken" : "note";
    return [
      {
        level,
        requirement,
        exchange: after.number,
        pointer: placeOf(requestValue(after.exchange.request), result),
        message,
      },
    ];
  });
}

function isCall(message: Message): message is ToolCallMessage {
  return message.type === "tool_call";
}
