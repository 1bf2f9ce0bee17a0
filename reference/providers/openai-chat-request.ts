// Renders a generic request as the body of the Chat Completions API.

import { exactText, isRecord, legalName, wellFormed } from "./arguments.ts";
import { PROVIDER, renderPart } from "./openai-chat-parts.ts";
import type { Fields } from "./openai-chat-parts.ts";
import type { Renamed } from "./tool-names.ts";
import type {
  Message,
  ModelRequest,
  ThinkingMessage,
  Tool,
  ToolCallMessage,
  ToolResultMessage,
  WarningCode,
} from "../types.ts";

/** What a request is rendered with. `request` is merged into the body, last. */
export interface RenderSettings {
  model: string;
  max_tokens?: number | undefined;
  transport?: "json" | "sse" | undefined;
  request?: Record<string, unknown> | undefined;
}

/** Something that the format could not carry, or had to change. */
export interface RenderWarning {
  code: WarningCode;
  message: string;
}

/** A body to send. `renamed` has the tools whose own names the API refuses, by the names that it is told. */
export interface RenderedRequest {
  body: Record<string, unknown>;
  warnings: RenderWarning[];
  renamed: Renamed;
}

/** The assistant message that is being put together. `parts` are content that is not plain text. */
interface Turn {
  text: string;
  calls: Fields[];
  parts: Fields[];
  fields: Fields;
}

interface Rendering {
  model: string;
  messages: Fields[];
  turn: Turn | undefined;
  /** What tool messages cannot carry, and goes into a user message after them. */
  media: Fields[];
  warn(code: WarningCode, message: string): void;
}

/**
 * Renders a request. Pure: the same request always gives the same body, and a longer session begins with the same messages.
 * @see PROVIDER-1 PROVIDER-3 PROVIDER-13
 */
export function renderRequest(request: ModelRequest, settings: RenderSettings): RenderedRequest {
  const warnings: RenderWarning[] = [];
  const model = request.model ?? settings.model;
  const rendering: Rendering = {
    model,
    messages: [],
    turn: undefined,
    media: [],
    warn: (code, message) => warnings.push({ code, message }),
  };
  const first = request.messages.findIndex((message) => message.role !== "system");
  const leading = first < 0 ? request.messages : request.messages.slice(0, first);
  const system = leading.flatMap((message) => (message.role === "system" && message.content ? message.content : []));
  if (system.length > 0) rendering.messages.push({ role: "system", content: system.join("\n\n") });
  for (const message of request.messages.slice(leading.length)) renderMessage(message, rendering);
  closeTurn(rendering);
  closeResults(rendering);
  const renamed = new Map<string, string>();
  const tools = request.tools.map((tool) => renderTool(tool, rendering, renamed));
  const streamed = settings.transport !== "json";
  const body = {
    model,
    messages: rendering.messages,
    ...(tools.length > 0 && { tools }),
    ...(settings.max_tokens !== undefined && { max_completion_tokens: settings.max_tokens }),
    ...(streamed && { stream: true, stream_options: { include_usage: true } }),
    ...settings.request,
  };
  return { body: wellFormed(body), warnings, renamed };
}

function renderMessage(message: Message, rendering: Rendering): void {
  if (message.type === "tool_result") {
    closeTurn(rendering);
    renderResult(message, rendering);
    return;
  }
  closeResults(rendering);
  if (message.role === "system" || message.role === "user") closeTurn(rendering);
  if (message.role === "system") rendering.messages.push({ role: "system", content: message.content });
  else if (message.role === "user") {
    const { content } = message;
    const rendered =
      typeof content === "string" ? content : content.flatMap((part) => renderPart(part, rendering.warn));
    if (rendered.length > 0 || rendered === "") rendering.messages.push({ role: "user", content: rendered });
    else rendering.warn("empty_message_dropped", "a user message without content was left out");
  } else {
    rendering.turn ??= { text: "", calls: [], parts: [], fields: {} };
    renderModelMessage(message, rendering.turn, rendering);
  }
}

/** @see CHAT-1 CHAT-2 */
function closeTurn(rendering: Rendering): void {
  const { turn } = rendering;
  rendering.turn = undefined;
  if (!turn || (turn.text === "" && turn.calls.length === 0 && turn.parts.length === 0 && !turn.fields.audio)) return;
  const text = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  const content = turn.parts.length > 0 ? [...turn.parts, ...text] : turn.text === "" ? null : turn.text;
  const calls = turn.calls.length > 0 ? { tool_calls: turn.calls } : {};
  rendering.messages.push({ role: "assistant", content, ...turn.fields, ...calls });
}

/** @see CHAT-5 */
function closeResults(rendering: Rendering): void {
  if (rendering.media.length > 0) rendering.messages.push({ role: "user", content: rendering.media });
  rendering.media = [];
}

/** @see CHAT-3 CHAT-5 */
function renderResult({ id, output }: ToolResultMessage, rendering: Rendering): void {
  const tool_call_id = legal(id, /^/, 40, rendering);
  if (typeof output === "string") {
    rendering.messages.push({ role: "tool", tool_call_id, content: output });
    return;
  }
  const parts = output.flatMap((part) => renderPart(part, rendering.warn));
  const texts = parts.filter((part) => part.type === "text");
  const media = parts.filter((part) => part.type !== "text");
  if (media.length > 0) rendering.media.push({ type: "text", text: `Output of the call ${tool_call_id}:` }, ...media);
  const aside = texts.length === 0 && media.length > 0;
  const content = aside ? "The output is in the next user message." : texts.map((part) => part.text).join("\n");
  rendering.messages.push({ role: "tool", tool_call_id, content });
}

function renderModelMessage(message: Message, turn: Turn, rendering: Rendering): void {
  switch (message.type) {
    case undefined:
      if (message.role !== "assistant") return;
      turn.text += message.content;
      if (message.opaque && isOwn(message.opaque, rendering)) carry(message.opaque, turn);
      return;
    case "thinking":
      renderThinking(message, turn, rendering);
      return;
    case "tool_call":
      turn.calls.push(renderCall(message, rendering));
      return;
    case "provider_item":
      if (message.provider !== PROVIDER || (message.model ?? rendering.model) !== rendering.model) {
        rendering.warn("provider_item_dropped", `an item of ${message.provider} ${message.model ?? ""} was left out`);
      } else if (message.item.type === "message") carry(message.item, turn);
      else turn.parts.push(message.item);
      return;
    default:
      rendering.warn(
        "part_dropped",
        `a message of the unknown type ${String((message as { type: string }).type)} was left out`,
      );
  }
}

/** What the format takes back of the fields that came beside a text. */
function carry(fields: Fields, turn: Turn): void {
  if (isRecord(fields.audio) && fields.audio.id) turn.fields.audio = { id: fields.audio.id };
  if (fields.extra_content !== undefined) turn.fields.extra_content = fields.extra_content;
}

/** @see CHAT-10 */
function renderThinking({ content, opaque }: ThinkingMessage, turn: Turn, rendering: Rendering): void {
  const field = opaque && isOwn(opaque, rendering) ? opaque.field : undefined;
  if (field === "reasoning_details") turn.fields.reasoning_details = opaque?.reasoning_details;
  else if (field === "content") turn.parts.push({ type: "thinking", thinking: [{ type: "text", text: content }] });
  else if (typeof field === "string") turn.fields[field] = String(turn.fields[field] ?? "") + content;
  else rendering.warn("thinking_dropped", `thinking was left out: it is not of ${rendering.model}`);
}

/** @see CHAT-4 */
function renderCall(call: ToolCallMessage, rendering: Rendering): Fields {
  const id = legal(call.id, /^/, 40, rendering);
  const name = legalToolName(call.name, rendering);
  const {
    provider: _provider,
    model: _model,
    type,
    ...kept
  } = isOwn(call.opaque, rendering) ? call.opaque : ({} as Fields);
  if (type === "custom") return { id, type, custom: { name, input: String(call.input?.input ?? "") }, ...kept };
  const written = exactText(call) ?? JSON.stringify(call.input ?? {});
  return { id, type: "function", function: { name, arguments: written }, ...kept };
}

function isOwn<T extends { provider: string; model?: string }>(
  opaque: T | undefined,
  { model }: Rendering,
): opaque is T {
  return opaque?.provider === PROVIDER && opaque.model === model;
}

/** @see CHAT-8 CHAT-22 */
function renderTool(tool: Tool, rendering: Rendering, renamed: Map<string, string>): Fields {
  const { description, input_schema } = tool;
  const name = legalToolName(tool.name, rendering);
  if (name !== tool.name) renamed.set(name, tool.name);
  const parameters = "properties" in input_schema ? input_schema : { ...input_schema, properties: {} };
  return { type: "function", function: { name, ...(description !== undefined && { description }), parameters } };
}

function legalToolName(name: string, rendering: Rendering): string {
  return legal(name, /^[a-zA-Z0-9_-]+$/, 64, rendering);
}

function legal(name: string, pattern: RegExp, length: number, { warn }: Rendering): string {
  const accepted = legalName(name, pattern, length);
  if (accepted !== name)
    warn("id_mapped", `${JSON.stringify(name)} is sent as ${accepted}: the API refuses it as it is`);
  return accepted;
}
