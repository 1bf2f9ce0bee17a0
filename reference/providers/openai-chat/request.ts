// Renders a generic request as the body of the Chat Completions API.

import { wellFormed } from "../../support/well-formed.ts";
import { losses } from "./losses.ts";
import type { RenderWarning, WarnOfLoss } from "../shared/losses.ts";
import { leadingSystem, SILENT_FAILURE, warnInto } from "../shared/parts.ts";
import type { RenderedBody } from "../shared/rendered-body.ts";
import { legalId, legalToolName, renderPart } from "./parts.ts";
import type { Fields } from "./parts.ts";
import { addAssistant, emptyAssistant, renderAssistant } from "./assistant.ts";
import type { AssistantContent } from "./assistant.ts";
import { renderSettings } from "./settings.ts";
import { hasText, renderContent } from "../openai/parts.ts";
import { withExtraFields } from "../openai/settings.ts";
import { createRenderCache } from "../shared/render-cache.ts";
import type { RenderCache } from "../shared/render-cache.ts";
import type { Message, ModelRequest, Tool, ToolResultMessage, TransportName } from "../../../schemas/types.ts";

/** What a request is rendered with. `max_tokens`: the limit of a request that has none. `request` is merged into the body, last. */
export interface RenderSettings {
  model: string;
  max_tokens?: number | undefined;
  transport?: TransportName | undefined;
  request?: Record<string, unknown> | undefined;
}

/** What one message alone is rendered to, wherever it stands: a wire message, or what it adds to one of the assistant. */
export interface Fragment {
  message?: Fields;
  /** What a tool message cannot carry, and goes into a user message after it. */
  media?: Fields[];
  assistant?: AssistantContent;
  warnings: RenderWarning[];
}

interface Rendering {
  model: string;
  cache: RenderCache<Fragment>;
  messages: Fields[];
  turn: AssistantContent | undefined;
  media: Fields[];
  warnings: RenderWarning[];
}

/**
 * Renders a request. Pure: the same request always gives the same body, and a longer session begins with the same messages.
 * With the `cache` of earlier requests, only the messages that are new are rendered.
 * @see PROVIDER-1 PROVIDER-3 PROVIDER-13
 */
export function renderRequest(
  request: ModelRequest,
  settings: RenderSettings,
  cache: RenderCache<Fragment> = createRenderCache(),
): RenderedBody {
  const model = request.model ?? settings.model;
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  const { texts: system, count: leading } = leadingSystem(request.messages, (text) => hasText(text, losses, warn));
  const begin = (): Rendering => ({ model, cache, messages: [], turn: undefined, media: [], warnings: [] });
  const rendering = ended(cache.follow(request.messages.slice(leading), model, begin, renderMessage));
  const messages =
    system.length > 0
      ? [wellFormed({ role: "system", content: system.join("\n\n") }), ...rendering.messages]
      : rendering.messages;
  warnings.push(...rendering.warnings);
  const renamed = new Map<string, string>();
  const tools = request.tools.map((tool) => renderTool(tool, warn, renamed));
  const extra = wellFormed(settings.request ?? {});
  const { max_completion_tokens, ...asked } = wellFormed(renderSettings(request, settings.max_tokens, warn));
  const streamed = settings.transport !== "json";
  const body = {
    model,
    messages,
    ...(tools.length > 0 && { tools }),
    ...asked,
    // The API refuses both names of the limit together, and some servers know only the old one. [CHAT-29]
    ...(max_completion_tokens !== undefined && extra.max_tokens === undefined && { max_completion_tokens }),
    ...(streamed && { stream: true, stream_options: { include_usage: true } }),
  };
  return { body: withExtraFields(body, extra, ["stream_options"]), warnings, renamed };
}

/** A rendering as it is if nothing follows. The one that may go on is left as it was. */
function ended({ messages, media, warnings, ...rendering }: Rendering): Rendering {
  const copy = { ...rendering, messages: [...messages], media: [...media], warnings: [...warnings] };
  closeTurn(copy);
  closeResults(copy);
  return copy;
}

function renderMessage(message: Message, rendering: Rendering): void {
  const { cache, model, messages, warnings } = rendering;
  const fragment = cache.getOrRender(message, model, () => renderFragment(message, model));
  warnings.push(...fragment.warnings);
  if (message.type !== "tool_result") closeResults(rendering);
  if (fragment.assistant) {
    rendering.turn ??= emptyAssistant();
    addAssistant(fragment.assistant, rendering.turn);
    return;
  }
  closeTurn(rendering);
  if (fragment.message) messages.push(fragment.message);
  rendering.media.push(...(fragment.media ?? []));
}

/** @see CHAT-1 CHAT-2 */
function closeTurn(rendering: Rendering): void {
  const { turn, messages, warnings } = rendering;
  rendering.turn = undefined;
  if (!turn) return;
  const { text, calls, parts, fields } = turn;
  if (text === "" && calls.length === 0 && parts.length === 0 && !fields.audio) {
    const what = Object.keys(fields).join(", ");
    if (what !== "")
      warnInto(warnings)(losses.thinkingAlone, `the fields ${what} of a message were left out: nothing is beside them`);
    return;
  }
  const content = parts.length > 0 ? [...parts, ...(text === "" ? [] : [{ type: "text", text }])] : text || null;
  messages.push({ role: "assistant", content, ...fields, ...(calls.length > 0 && { tool_calls: [...calls] }) });
}

/** @see CHAT-5 */
function closeResults(rendering: Rendering): void {
  if (rendering.media.length > 0) rendering.messages.push({ role: "user", content: rendering.media });
  rendering.media = [];
}

function renderFragment(message: Message, model: string): Fragment {
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  if (message.type === "tool_result") return wellFormed({ ...renderResult(message, warn), warnings });
  if (message.role === "system" || message.role === "user") {
    const content = renderContent(message, renderPart, losses, warn);
    return content === undefined ? { warnings } : wellFormed({ message: { role: message.role, content }, warnings });
  }
  return wellFormed({ assistant: renderAssistant(message, model, warn), warnings });
}

/** @see CHAT-3 CHAT-5 */
function renderResult(
  { id, output, is_error }: ToolResultMessage,
  warn: WarnOfLoss,
): Pick<Fragment, "message" | "media"> {
  const tool_call_id = legalId(id, warn);
  const nothing = is_error ? SILENT_FAILURE : ""; // [PROVIDER-42]
  const message = (content: string) => ({ role: "tool", tool_call_id, content: content || nothing });
  if (typeof output === "string") return { message: message(output) };
  const parts = output.flatMap((part) => renderPart(part, warn));
  const texts = parts.filter((part) => part.type === "text").map((part) => part.text);
  const media = parts.filter((part) => part.type !== "text");
  if (media.length === 0) return { message: message(texts.join("\n")) };
  return {
    message: message(texts.length > 0 ? texts.join("\n") : "The output is in the next user message."),
    media: [{ type: "text", text: `Output of the call ${tool_call_id}:` }, ...media],
  };
}

/** @see CHAT-8 CHAT-22 */
function renderTool(tool: Tool, warn: WarnOfLoss, renamed: Map<string, string>): Fields {
  const { description, input_schema } = tool;
  const name = legalToolName(tool.name, warn);
  if (name !== tool.name) renamed.set(name, tool.name);
  const parameters = "properties" in input_schema ? input_schema : { ...input_schema, properties: {} };
  const declared = { name, ...(description !== undefined && { description }), parameters };
  return wellFormed({ type: "function", function: declared });
}
