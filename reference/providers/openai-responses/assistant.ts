// Renders the messages of a model as items of the Responses API.

import { exactText } from "../shared/arguments.ts";
import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import { legalId, legalToolName, PROVIDER } from "./parts.ts";
import type { Fields } from "./parts.ts";
import { isFilled } from "./response.ts";
import type { Message, ToolCallMessage } from "../../../schemas/types.ts";

/** The opaque fields that this provider gave a message, whichever model made it. */
export function opaqueOf(message: Message): Fields {
  const { opaque } = message as { opaque?: Fields };
  return opaque?.provider === PROVIDER ? opaque : {};
}

/** The opaque fields that this model gave a message; nothing if it did not make it. */
export function ownOf(message: Message, model: string): Fields | undefined {
  const opaque = opaqueOf(message);
  return opaque.model === model ? opaque : undefined;
}

/** The item that a message of the model goes back as; none if it cannot be sent. @see RESPONSES-2 RESPONSES-3 */
export function renderAssistant(message: Message, model: string, warn: WarnOfLoss): Fields | undefined {
  const own = ownOf(message, model);
  switch (message.type) {
    case undefined:
      return message.role === "assistant" ? renderText(message.content, own, warn) : undefined;
    case "thinking":
      if (own) return renderThinking(own);
      return void warn(losses.thinking, `thinking was left out: it is not of ${model}`);
    case "tool_call":
      return renderCall(message, own ?? {}, warn);
    case "provider_item":
      if (message.provider === PROVIDER && (message.model ?? model) === model) return message.item;
      return void warn(losses.item, `an item of ${message.provider} ${message.model ?? ""} was left out`);
    default: {
      const { type } = message as { type: unknown };
      return void warn(losses.unknown, `a message of the unknown type ${String(type)} was left out`);
    }
  }
}

function renderText(text: string, own: Fields | undefined, warn: WarnOfLoss): Fields | undefined {
  if (text === "") return void warn(losses.emptyMessage, "a text of the model that is empty was left out");
  if (!own) return { role: "assistant", content: text };
  const { id, type, annotations = [], phase, status = "completed" } = own;
  const part = type === "refusal" ? { type, refusal: text } : { type: "output_text", text, annotations };
  const known = id === undefined ? {} : { id, status };
  return { type: "message", role: "assistant", ...known, content: [part], ...(phase !== undefined && { phase }) };
}

function renderThinking({
  provider: _provider,
  model: _model,
  response_id: _response,
  conversation: _mark,
  summary = [],
  ...kept
}: Fields): Fields {
  return { type: "reasoning", summary, ...kept };
}

/** True if nobody has to look anything up for a `reasoning` item. @see RESPONSES-5 */
export function isSelfContained(item: Fields): boolean {
  const { encrypted_content, content } = item;
  return isFilled(encrypted_content) || (Array.isArray(content) && content.length > 0);
}

/** @see RESPONSES-7 RESPONSES-9 */
function renderCall(call: ToolCallMessage, own: Fields, warn: WarnOfLoss): Fields {
  const { provider: _provider, model: _model, response_id: _response, conversation: _mark, id, ...others } = own;
  const { type: _type, call_id: _callId, ...kept } = others;
  const named = {
    ...(id !== undefined && { id }),
    call_id: callIdOf(call, warn),
    name: legalToolName(call.name, warn),
  };
  if (isCustom(call)) {
    return { type: "custom_tool_call", ...named, input: String(call.input?.input ?? ""), ...kept };
  }
  return { type: "function_call", ...named, arguments: exactText(call) ?? JSON.stringify(call.input ?? {}), ...kept };
}

/** The id that the server knows a call by, which may be another than the one that it first gave. */
export function callIdOf(call: ToolCallMessage, warn: WarnOfLoss): string {
  const { call_id } = opaqueOf(call);
  return typeof call_id === "string" ? call_id : legalId(call.id, warn);
}

/** Whether a call is one of a custom tool, whose input is a text. */
export function isCustom(call: ToolCallMessage): boolean {
  return opaqueOf(call).type === "custom_tool_call";
}
