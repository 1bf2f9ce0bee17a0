// Renders a generic request as the body of Anthropic's Messages API.

import { exactText, legalName, parseExactly, wellFormed } from "./arguments.ts";
import { isBlank, PROVIDER, renderPart } from "./anthropic-messages-parts.ts";
import type { Block } from "./anthropic-messages-parts.ts";
import type { Renamed } from "./tool-names.ts";
import type { Message, ModelRequest, Part, Tool, ToolCallMessage, ToolResultMessage, WarningCode } from "../types.ts";

/** What is sent if the settings say nothing. The API has no default of its own; every model accepts this many. */
const DEFAULT_MAX_TOKENS = 4096;

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

/**
 * A body to send. `renamed` has the tools whose own names the API refuses, by the names that it is told. With `unsupported`,
 * the body must not be sent: the format has no place for something in the session.
 */
export interface RenderedRequest {
  body: Record<string, unknown>;
  warnings: RenderWarning[];
  renamed: Renamed;
  unsupported?: string;
}

interface WireMessage {
  role: "user" | "assistant" | "system";
  content: Block[];
}

interface Rendering {
  model: string;
  messages: WireMessage[];
  container: unknown;
  warn(code: WarningCode, message: string): void;
}

/**
 * Renders a request. Pure: the same request always gives the same body, and a longer session begins with the same messages.
 * @see PROVIDER-1 PROVIDER-3 PROVIDER-13 ANTHROPIC-1
 */
export function renderRequest(request: ModelRequest, settings: RenderSettings): RenderedRequest {
  const warnings: RenderWarning[] = [];
  const model = request.model ?? settings.model;
  const rendering: Rendering = {
    model,
    messages: [],
    container: undefined,
    warn: (code, message) => warnings.push({ code, message }),
  };
  const first = request.messages.findIndex((message) => message.role !== "system");
  const leading = first < 0 ? request.messages : request.messages.slice(0, first);
  const system = leading.flatMap((message) =>
    message.role === "system" && !isBlank(message.content) ? message.content : [],
  );
  let unsupported: string | undefined;
  for (const message of request.messages.slice(leading.length)) {
    unsupported ??= renderMessage(message, rendering);
  }
  const renamed = new Map<string, string>();
  const tools = request.tools.map((tool) => renderTool(tool, rendering, renamed));
  const body = {
    model,
    max_tokens: settings.max_tokens ?? DEFAULT_MAX_TOKENS,
    ...(system.length > 0 && { system: system.join("\n\n") }),
    messages: rendering.messages,
    ...(tools.length > 0 && { tools }),
    ...(rendering.container !== undefined && { container: rendering.container }),
    ...(settings.transport !== "json" && { stream: true }),
    ...settings.request,
  };
  const rendered = { body: wellFormed(body), warnings, renamed };
  return unsupported === undefined ? rendered : { ...rendered, unsupported };
}

/** Adds a message to the wire. Returns why the format has no place for it, or nothing. */
function renderMessage(message: Message, rendering: Rendering): string | undefined {
  if (message.role === "system") return renderSystem(message.content, rendering);
  if (message.role === "user" || message.type === "tool_result") {
    if (rendering.messages.at(-1)?.role === "system") return laterSystem("a user message or a tool result follows it");
    const group = open("user", rendering);
    if (message.role === "user") renderUser(message.content, group, rendering);
    else addResult(renderResult(message, rendering), group);
    close(rendering);
    return undefined;
  }
  const block = renderModelMessage(message, rendering);
  if (block) open("assistant", rendering).content.push(block);
  return undefined;
}

function laterSystem(why: string): string {
  return (
    `a system message after the beginning must follow a user message, a tool result or a provider item, and be last or ` +
    `precede a message of the model; here ${why}. Put it elsewhere, or into the instructions`
  );
}

/** @see ANTHROPIC-6 ANTHROPIC-7 */
function renderSystem(text: string, rendering: Rendering): string | undefined {
  if (isBlank(text)) return void rendering.warn("empty_message_dropped", "a system message without text was left out");
  const last = rendering.messages.at(-1);
  const said = last?.content[0];
  if (last?.role === "system" && said) {
    said.text = `${String(said.text)}\n\n${text}`;
    return undefined;
  }
  if (!last) return laterSystem("nothing precedes it");
  if (
    last.role === "assistant" &&
    !/^(server_tool_use|mcp_tool_use|.*_tool_result)$/.test(String(last.content.at(-1)?.type))
  ) {
    return laterSystem("it follows a message of the model");
  }
  open("system", rendering).content.push({ type: "text", text });
  return undefined;
}

/** The wire message that takes blocks of this role: the last one, or a new one. @see ANTHROPIC-2 ANTHROPIC-3 */
function open(role: WireMessage["role"], { messages }: Rendering): WireMessage {
  const last = messages.at(-1);
  if (last?.role === role) return last;
  const message: WireMessage = { role, content: [] };
  messages.push(message);
  return message;
}

function close({ messages, warn }: Rendering): void {
  if (messages.at(-1)?.content.length !== 0) return;
  messages.pop();
  warn("empty_message_dropped", "a user message without content was left out");
}

/** Results come before what else the user says. @see ANTHROPIC-3 ANTHROPIC-4 */
function addResult(result: Block, { content }: WireMessage): void {
  const at = content.findLastIndex((block) => block.type === "tool_result");
  content.splice(at + 1, 0, result);
}

function renderUser(content: string | Part[], group: WireMessage, rendering: Rendering): void {
  const parts: Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const blocks = parts.flatMap((part) => renderPart(part, rendering.warn));
  if (blocks.length === 0 && group.content.length > 0) {
    rendering.warn("empty_message_dropped", "a user message without content was left out");
  }
  group.content.push(...blocks);
}

/** @see ANTHROPIC-11 ANTHROPIC-13 */
function renderResult(message: ToolResultMessage, rendering: Rendering): Block {
  const { output } = message;
  return {
    type: "tool_result",
    tool_use_id: legalId(message.id, rendering),
    content: typeof output === "string" ? output : output.flatMap((part) => renderPart(part, rendering.warn)),
    ...(message.is_error && { is_error: true }),
  };
}

/** @see ANTHROPIC-9 ANTHROPIC-14 */
function renderModelMessage(message: Message, rendering: Rendering): Block | undefined {
  const { opaque } = message as { opaque?: Record<string, unknown> };
  const own = opaque?.provider === PROVIDER && opaque.model === rendering.model;
  const { provider: _provider, model: _model, container, redacted, ...kept } = own ? opaque : {};
  if (container) rendering.container = (container as { id?: unknown }).id ?? container;
  switch (message.type) {
    case undefined:
      if (message.role !== "assistant") return undefined;
      if (!isBlank(message.content)) return { type: "text", text: message.content, ...kept };
      return void rendering.warn("empty_message_dropped", "a text of the model that is empty or blank was left out");
    case "thinking":
      if (typeof redacted === "string") return { type: "redacted_thinking", data: redacted };
      if (typeof kept.signature === "string") return { type: "thinking", thinking: message.content, ...kept };
      return void rendering.warn("thinking_dropped", `thinking was left out: it is not signed by ${rendering.model}`);
    case "tool_call":
      return {
        type: "tool_use",
        id: legalId(message.id, rendering),
        name: legal(message.name, 128, rendering),
        input: renderInput(message),
        ...kept,
      };
    case "provider_item":
      if (message.provider === PROVIDER && (message.model ?? rendering.model) === rendering.model) return message.item;
      return void rendering.warn(
        "provider_item_dropped",
        `an item of ${message.provider} ${message.model ?? ""} was left out`,
      );
    default:
      return void rendering.warn("part_dropped", `a message of the unknown type ${String(message.type)} was left out`);
  }
}

/** @see ANTHROPIC-10 */
function renderInput(call: ToolCallMessage): unknown {
  const exact = exactText(call);
  return exact === undefined ? (call.input ?? {}) : parseExactly(exact);
}

/** @see ANTHROPIC-21 */
function renderTool(tool: Tool, rendering: Rendering, renamed: Map<string, string>): Block {
  const { description, input_schema } = tool;
  const name = legal(tool.name, 128, rendering);
  if (name !== tool.name) renamed.set(name, tool.name);
  return { name, ...(description !== undefined && { description }), input_schema };
}

/** The API takes ids of these characters, of any length. @see ANTHROPIC-12 */
function legalId(id: string, rendering: Rendering): string {
  return legal(id, 256, rendering);
}

function legal(name: string, length: number, { warn }: Rendering): string {
  const accepted = legalName(name, /^[a-zA-Z0-9_-]+$/, length);
  if (accepted !== name)
    warn("id_mapped", `${JSON.stringify(name)} is sent as ${accepted}: the API refuses it as it is`);
  return accepted;
}
