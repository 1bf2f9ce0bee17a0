// Renders the messages of a model as pieces of one assistant message of the Chat Completions API.

import { exactText, isRecord } from "../shared/arguments.ts";
import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import { legalId, legalToolName, PROVIDER } from "./parts.ts";
import type { Fields } from "./parts.ts";
import type { Message, ThinkingMessage, ToolCallMessage } from "../../../schemas/types.ts";

/** What an assistant message has so far. `parts` are content that is not plain text. */
export interface AssistantContent {
  text: string;
  calls: Fields[];
  parts: Fields[];
  fields: Fields;
}

/** An assistant message without content. */
export function emptyAssistant(): AssistantContent {
  return { text: "", calls: [], parts: [], fields: {} };
}

/** Adds the content of one message to what came before it. */
export function addAssistant({ text, calls, parts, fields }: AssistantContent, turn: AssistantContent): void {
  turn.text += text;
  turn.calls.push(...calls);
  turn.parts.push(...parts);
  for (const [key, value] of Object.entries(fields)) {
    const before = turn.fields[key];
    if (typeof before === "string" && typeof value === "string") turn.fields[key] = before + value;
    else if (Array.isArray(before) && Array.isArray(value)) turn.fields[key] = [...before, ...value];
    else turn.fields[key] = value;
  }
}

/** What a message of the model adds to its assistant message. @see CHAT-1 */
export function renderAssistant(message: Message, model: string, warn: WarnOfLoss): AssistantContent {
  const turn = emptyAssistant();
  renderInto(turn, message, model, warn);
  return turn;
}

function renderInto(turn: AssistantContent, message: Message, model: string, warn: WarnOfLoss): void {
  switch (message.type) {
    case undefined:
      if (message.role !== "assistant") return;
      if (message.content === "") warn(losses.emptyMessage, "a text of the model that is empty was left out");
      turn.text = message.content;
      if (isOwn(message.opaque, model)) carry(message.opaque, turn);
      return;
    case "thinking":
      return renderThinking(message, turn, model, warn);
    case "tool_call":
      return void turn.calls.push(renderCall(message, model, warn));
    case "provider_item":
      if (message.provider !== PROVIDER || (message.model ?? model) !== model) {
        warn(losses.item, `an item of ${message.provider} ${message.model ?? ""} was left out`);
      } else if (message.item.type !== "message") turn.parts.push(message.item);
      else if (!carry(message.item, turn)) {
        warn(losses.fields, `the fields ${Object.keys(message.item).join(", ")} of a message were left out`);
      }
      return;
    default:
      warn(losses.unknown, `a message of the unknown type ${String((message as { type: string }).type)} was left out`);
  }
}

/** What the format takes back of the fields that came beside a text. False: nothing of them. */
function carry(fields: Fields, turn: AssistantContent): boolean {
  const { audio, extra_content } = fields;
  if (isRecord(audio) && audio.id) turn.fields.audio = { id: audio.id };
  if (extra_content !== undefined) turn.fields.extra_content = extra_content;
  return Object.keys(turn.fields).length > 0;
}

/** @see CHAT-10 */
function renderThinking(
  { content, opaque }: ThinkingMessage,
  turn: AssistantContent,
  model: string,
  warn: WarnOfLoss,
): void {
  const field = isOwn(opaque, model) ? opaque.field : undefined;
  if (field === "reasoning_details") turn.fields.reasoning_details = opaque?.reasoning_details;
  else if (field === "content") turn.parts.push({ type: "thinking", thinking: [{ type: "text", text: content }] });
  else if (typeof field === "string") turn.fields[field] = content;
  else warn(losses.thinking, `thinking was left out: it is not of ${model}`);
}

/** @see CHAT-4 */
function renderCall(call: ToolCallMessage, model: string, warn: WarnOfLoss): Fields {
  const id = legalId(call.id, warn);
  const name = legalToolName(call.name, warn);
  const own: Fields = isOwn(call.opaque, model) ? call.opaque : {};
  const { provider: _provider, model: _model, type, ...kept } = own;
  if (type === "custom") return { id, type, custom: { name, input: String(call.input?.input ?? "") }, ...kept };
  const written = exactText(call) ?? JSON.stringify(call.input ?? {});
  return { id, type: "function", function: { name, arguments: written }, ...kept };
}

function isOwn<T extends { provider: string; model?: string }>(opaque: T | undefined, model: string): opaque is T {
  return opaque?.provider === PROVIDER && opaque.model === model;
}
