// Model output in the format of OpenTelemetry's conventions, for spans that record content.

import type { Message, StopReason } from "../../../schemas/types.ts";

/**
 * The value of `gen_ai.output.messages`: one message with parts, as JSON. Messages without a part type are omitted.
 * @see https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-output-messages.json
 */
export function outputMessages(messages: Message[], finish_reason: StopReason): string {
  return JSON.stringify([{ role: "assistant", parts: messages.flatMap(partsOf), finish_reason }]);
}

function partsOf(message: Message): object[] {
  if (message.role === "assistant") return [{ type: "text", content: message.content }];
  if (message.type === "thinking") return [{ type: "reasoning", content: message.content }];
  if (message.type !== "tool_call") return [];
  const { id, name, input, raw_input } = message;
  return [{ type: "tool_call", id, name, arguments: input ?? raw_input }];
}
