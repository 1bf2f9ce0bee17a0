// Renders a generic request as the body of Anthropic's Messages API.

import { exactText, parseExactly, wellFormed } from "./arguments.ts";
import { isBlank, legalId, legalToolName, PROVIDER, renderPart } from "./anthropic-messages-parts.ts";
import type { Block } from "./anthropic-messages-parts.ts";
import { anthropicMessagesLosses as losses } from "./losses.ts";
import type { RenderWarning, WarnOfLoss } from "./losses.ts";
import { createRenderMemory } from "./render-memory.ts";
import type { RenderMemory } from "./render-memory.ts";
import type { Renamed } from "./tool-names.ts";
import type { Message, ModelRequest, Part, Tool, ToolCallMessage, ToolResultMessage } from "../types.ts";

/** What is sent if the settings say nothing. The API has no default of its own; every model accepts this many. */
const DEFAULT_MAX_TOKENS = 4096;

/** What a request is rendered with. `request` is merged into the body, last. */
export interface RenderSettings {
  model: string;
  max_tokens?: number | undefined;
  transport?: "json" | "sse" | undefined;
  request?: Record<string, unknown> | undefined;
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

/** What one message alone is rendered to, wherever it stands. */
export interface Fragment {
  blocks: Block[];
  warnings: RenderWarning[];
  container?: unknown;
}

interface Rendering {
  model: string;
  memory: RenderMemory<Fragment>;
  messages: WireMessage[];
  warnings: RenderWarning[];
  container: unknown;
}

/**
 * Renders a request. Pure: the same request always gives the same body, and a longer session begins with the same messages.
 * With the `memory` of earlier requests, only the messages that are new are rendered.
 * @see PROVIDER-1 PROVIDER-3 PROVIDER-13 ANTHROPIC-1
 */
export function renderRequest(
  request: ModelRequest,
  settings: RenderSettings,
  memory: RenderMemory<Fragment> = createRenderMemory(),
): RenderedRequest {
  const model = request.model ?? settings.model;
  const rendering: Rendering = { model, memory, messages: [], warnings: [], container: undefined };
  const warn = warnInto(rendering.warnings);
  const first = request.messages.findIndex((message) => message.role !== "system");
  const leading = first < 0 ? request.messages : request.messages.slice(0, first);
  const system: string[] = [];
  for (const message of leading) {
    if (message.role === "system" && hasText(message.content, warn)) system.push(message.content);
  }
  let unsupported: string | undefined;
  for (const message of request.messages.slice(leading.length)) {
    unsupported ??= renderMessage(message, rendering);
  }
  closeResponse(rendering);
  const renamed = new Map<string, string>();
  const tools = request.tools.map((tool) => renderTool(tool, warn, renamed));
  const body = {
    model,
    max_tokens: settings.max_tokens ?? DEFAULT_MAX_TOKENS,
    ...(system.length > 0 && { system: wellFormed(system.join("\n\n")) }),
    messages: rendering.messages,
    ...(tools.length > 0 && { tools }),
    ...(rendering.container !== undefined && { container: rendering.container }),
    ...(settings.transport !== "json" && { stream: true }),
    ...wellFormed(settings.request),
  };
  const rendered = { body, warnings: rendering.warnings, renamed };
  return unsupported === undefined ? rendered : { ...rendered, unsupported };
}

function warnInto(warnings: RenderWarning[]): WarnOfLoss {
  return ({ code }, message) => void warnings.push({ code, message });
}

/** Adds a message to the wire. Returns why the format has no place for it, or nothing. */
function renderMessage(message: Message, rendering: Rendering): string | undefined {
  const { memory, model, messages, warnings } = rendering;
  if (message.role === "system") return renderSystem(message.content, rendering);
  const fragment = memory.recall(message, model, () => renderFragment(message, model));
  warnings.push(...fragment.warnings);
  if (fragment.container !== undefined) rendering.container = fragment.container;
  if (fragment.blocks.length === 0) return undefined;
  const ofUser = message.role === "user" || message.type === "tool_result";
  if (ofUser && messages.at(-1)?.role === "system") return laterSystem("a user message or a tool result follows it");
  const { content } = open(ofUser ? "user" : "assistant", rendering);
  if (message.type === "tool_result") addResults(fragment.blocks, content);
  else content.push(...fragment.blocks);
  return undefined;
}

function renderFragment(message: Message, model: string): Fragment {
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  if (message.role === "user") return wellFormed({ blocks: renderUser(message.content, warn), warnings });
  if (message.type === "tool_result") return wellFormed({ blocks: [renderResult(message, warn)], warnings });
  const { opaque } = message as { opaque?: Record<string, unknown> };
  const own = opaque?.provider === PROVIDER && opaque.model === model;
  const { provider: _provider, model: _model, container, ...kept } = own ? opaque : {};
  const block = renderModelMessage(message, kept, model, warn);
  const blocks = block ? [block] : [];
  const id = container ? ((container as { id?: unknown }).id ?? container) : undefined;
  return wellFormed({ blocks, warnings, ...(id !== undefined && { container: id }) });
}

function laterSystem(why: string): string {
  return (
    `a system message after the beginning must follow a user message, a tool result or a provider item, and be last or ` +
    `precede a message of the model; here ${why}. Put it elsewhere, or into the instructions`
  );
}

/** @see ANTHROPIC-6 ANTHROPIC-7 */
function renderSystem(text: string, rendering: Rendering): string | undefined {
  if (!hasText(text, warnInto(rendering.warnings))) return undefined;
  const last = rendering.messages.at(-1);
  const said = last?.content[0];
  if (last?.role === "system" && said) {
    said.text = `${String(said.text)}\n\n${wellFormed(text)}`;
    return undefined;
  }
  if (!last) return laterSystem("nothing precedes it");
  if (
    last.role === "assistant" &&
    !/^(server_tool_use|mcp_tool_use|.*_tool_result)$/.test(String(last.content.at(-1)?.type))
  ) {
    return laterSystem("it follows a message of the model");
  }
  open("system", rendering).content.push({ type: "text", text: wellFormed(text) });
  return undefined;
}

function hasText(text: string, warn: WarnOfLoss): boolean {
  if (!isBlank(text)) return true;
  warn(losses.emptyMessage, "a system message without text was left out");
  return false;
}

/** The wire message that takes blocks of this role: the last one, or a new one. @see ANTHROPIC-2 ANTHROPIC-3 */
function open(role: WireMessage["role"], rendering: Rendering): WireMessage {
  const { messages } = rendering;
  if (role !== "assistant") closeResponse(rendering);
  const last = messages.at(-1);
  if (last?.role === role) return last;
  const message: WireMessage = { role, content: [] };
  messages.push(message);
  return message;
}

/** The API refuses a response that ends with thinking, and goes on to refuse it in every later request. */
function closeResponse({ messages, warnings }: Rendering): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return;
  const end = last.content.findLastIndex(({ type }) => type !== "thinking" && type !== "redacted_thinking") + 1;
  for (const _block of last.content.splice(end)) {
    warnInto(warnings)(losses.thinkingLast, "thinking was left out: nothing follows it in its response");
  }
  if (end === 0) messages.pop();
}

/** Results come before what else the user says. @see ANTHROPIC-3 ANTHROPIC-4 */
function addResults(results: Block[], content: Block[]): void {
  const at = content.findLastIndex((block) => block.type === "tool_result");
  content.splice(at + 1, 0, ...results);
}

function renderUser(content: string | Part[], warn: WarnOfLoss): Block[] {
  const blocks =
    typeof content !== "string"
      ? content.flatMap((part) => renderPart(part, warn))
      : isBlank(content)
        ? []
        : [{ type: "text", text: content }];
  if (blocks.length === 0) warn(losses.emptyMessage, "a user message without content was left out");
  return blocks;
}

/** @see ANTHROPIC-11 ANTHROPIC-13 */
function renderResult({ id, output, is_error }: ToolResultMessage, warn: WarnOfLoss): Block {
  return {
    type: "tool_result",
    tool_use_id: legalId(id, warn),
    content: typeof output === "string" ? output : output.flatMap((part) => renderPart(part, warn)),
    ...(is_error && { is_error: true }),
  };
}

/** `kept` are the fields that this model sent beside the message. @see ANTHROPIC-9 ANTHROPIC-14 */
function renderModelMessage(message: Message, kept: Block, model: string, warn: WarnOfLoss): Block | undefined {
  switch (message.type) {
    case undefined:
      if (message.role !== "assistant") return undefined;
      if (!isBlank(message.content)) return { type: "text", text: message.content, ...kept };
      return void warn(losses.emptyMessage, "a text of the model that is empty or blank was left out");
    case "thinking":
      if (typeof kept.redacted === "string") return { type: "redacted_thinking", data: kept.redacted };
      if (typeof kept.signature === "string") return { type: "thinking", thinking: message.content, ...kept };
      return void warn(losses.thinking, `thinking was left out: it is not signed by ${model}`);
    case "tool_call": {
      const id = legalId(message.id, warn);
      return { type: "tool_use", id, name: legalToolName(message.name, warn), input: renderInput(message), ...kept };
    }
    case "provider_item":
      if (message.provider === PROVIDER && (message.model ?? model) === model) return message.item;
      return void warn(losses.item, `an item of ${message.provider} ${message.model ?? ""} was left out`);
    default:
      return void warn(losses.unknown, `a message of the unknown type ${String(message.type)} was left out`);
  }
}

/** @see ANTHROPIC-10 */
function renderInput(call: ToolCallMessage): unknown {
  const exact = exactText(call);
  return exact === undefined ? (call.input ?? {}) : parseExactly(exact);
}

/** @see ANTHROPIC-21 */
function renderTool(tool: Tool, warn: WarnOfLoss, renamed: Map<string, string>): Block {
  const { description, input_schema } = tool;
  const name = legalToolName(tool.name, warn);
  if (name !== tool.name) renamed.set(name, tool.name);
  return wellFormed({ name, ...(description !== undefined && { description }), input_schema });
}
