// Renders a generic request as the body of Anthropic's Messages API.

import { wellFormed } from "../../support/well-formed.ts";
import { renderFragment } from "./blocks.ts";
import type { Fragment } from "./blocks.ts";
import { isBlank, legalToolName, PROVIDER } from "./parts.ts";
import { withoutUnanswered, type ServerCalls } from "../shared/unanswered.ts";
import type { Block } from "./parts.ts";
import { renderSettings, renderSystemField, withExtraFields } from "./settings.ts";
import { onThread } from "./server-state.ts";
import { losses } from "./losses.ts";
import type { RenderWarning, WarnOfLoss } from "../shared/losses.ts";
import { leadingSystem, warnInto } from "../shared/parts.ts";
import type { RenderedBody } from "../shared/rendered-body.ts";
import { createRenderCache } from "../shared/render-cache.ts";
import type { RenderCache } from "../shared/render-cache.ts";
import type { Message, ModelRequest, Tool, TransportName } from "../../../schemas/types.ts";

export type { Fragment };

/** What a request is rendered with. `request` is merged into the body, last. */
export interface RenderSettings {
  model: string;
  max_tokens?: number | undefined;
  transport?: TransportName | undefined;
  conversation?: "stateless" | "server" | undefined;
  request?: Record<string, unknown> | undefined;
}

/** With `unsupported`, the body must not be sent: the format has no place for something in the session. */
export interface RenderedRequest extends RenderedBody {
  unsupported?: string;
}

interface WireMessage {
  role: "user" | "assistant" | "system";
  content: Block[];
}

interface Rendering {
  model: string;
  cache: RenderCache<Fragment>;
  messages: WireMessage[];
  /** What goes behind the results that are being rendered. */
  beside: Block[];
  warnings: RenderWarning[];
  container: unknown;
  /** Why the format has no place for a message, if it has none. */
  unsupported: string | undefined;
}

/**
 * Renders a request. Pure: the same request always gives the same body, and a longer session begins with the same messages
 * where the server keeps nothing. With the `cache` of earlier requests, only the messages that are new are rendered.
 * @see PROVIDER-1 PROVIDER-3 PROVIDER-13 ANTHROPIC-1
 */
export function renderRequest(
  request: ModelRequest,
  settings: RenderSettings,
  cache: RenderCache<Fragment> = createRenderCache(),
): RenderedRequest {
  const model = request.model ?? settings.model;
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  const { texts: system, count: leading } = leadingSystem(request.messages, (text) => hasText(text, warn));
  const begin = (): Rendering => {
    return { model, cache, messages: [], beside: [], warnings: [], container: undefined, unsupported: undefined };
  };
  // A thread has the calls of the server, whatever became of them.
  const conversation =
    settings.conversation === "server"
      ? request.messages
      : withoutUnanswered(request.messages, serverCalls, losses.unanswered, warn);
  const followed = cache.follow(conversation.slice(leading), model, begin, (message, state) => {
    state.unsupported ??= renderMessage(message, state);
  });
  const rendering = ended(followed);
  warnings.push(...rendering.warnings);
  const renamed = new Map<string, string>();
  const tools = request.tools.map((tool) => renderTool(tool, warn, renamed));
  const whole = withExtraFields(
    {
      model,
      ...(system.length > 0 && { system: renderSystemField(system, request.settings) }),
      messages: rendering.messages,
      ...(tools.length > 0 && { tools }),
      ...wellFormed(renderSettings(request, settings.max_tokens, warn)),
      ...(rendering.container !== undefined && { container: rendering.container }),
      ...(settings.transport !== "json" && { stream: true }),
    },
    wellFormed(settings.request),
  );
  const body = settings.conversation === "server" ? onThread(whole, request.messages, model) : whole;
  const rendered = { body, warnings, renamed };
  const { unsupported } = rendering;
  return unsupported === undefined ? rendered : { ...rendered, unsupported };
}

const serverCalls: ServerCalls = {
  provider: PROVIDER,
  called: ({ type, id }) => (type === "server_tool_use" || type === "mcp_tool_use" ? id : undefined),
  answered: ({ tool_use_id }) => tool_use_id,
};

/** A rendering as it is if nothing follows. The one that may go on is left as it was. */
function ended(rendering: Rendering): Rendering {
  // The last message may grow, and, where that is left out, the one before it.
  const growing = rendering.messages.slice(-2).map(({ role, content }) => ({ role, content: [...content] }));
  const messages = [...rendering.messages.slice(0, -2), ...growing];
  const copy = { ...rendering, messages, warnings: [...rendering.warnings] };
  closeResults(copy);
  closeResponse(copy);
  return copy;
}

/** Adds a message to the wire. Returns why the format has no place for it, or nothing. */
function renderMessage(message: Message, rendering: Rendering): string | undefined {
  const { cache, model, messages, warnings } = rendering;
  if (message.type !== "tool_result") closeResults(rendering);
  if (message.role === "system") return renderSystem(message.content, rendering);
  const fragment = cache.getOrRender(message, model, () => renderFragment(message, model));
  warnings.push(...fragment.warnings);
  if (fragment.container !== undefined) rendering.container = fragment.container;
  if (fragment.blocks.length === 0) return undefined;
  const ofUser = message.role === "user" || message.type === "tool_result";
  if (ofUser) {
    closeResponse(rendering); // may take a whole message away, so that another one is the last
    if (messages.at(-1)?.role === "system") return laterSystem("a user message or a tool result follows it");
  }
  const { content } = open(ofUser ? "user" : "assistant", rendering);
  content.push(...fragment.blocks);
  rendering.beside.push(...(fragment.beside ?? []));
  return undefined;
}

/** @see ANTHROPIC-31 */
function closeResults(rendering: Rendering): void {
  if (rendering.beside.length > 0) open("user", rendering).content.push(...rendering.beside);
  rendering.beside = [];
}

function laterSystem(why: string): string {
  return (
    `a system message after the beginning must follow a user message, a tool result or the result of a server tool, ` +
    `and be last or precede a message of the model; here ${why}. Put it elsewhere, or into the instructions`
  );
}

/** @see ANTHROPIC-6 ANTHROPIC-7 */
function renderSystem(text: string, rendering: Rendering): string | undefined {
  if (!hasText(text, warnInto(rendering.warnings))) return undefined;
  const last = rendering.messages.at(-1);
  if (!last) return laterSystem("nothing precedes it");
  const before: Block = { ...last.content.at(-1) };
  if (last.role === "system") {
    last.content = [{ ...before, text: `${String(before.text)}\n\n${wellFormed(text)}` }];
    return undefined;
  }
  if (last.role === "assistant" && !String(before.type).endsWith("_tool_result")) {
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

/**
 * The wire message that takes blocks of this role: the last one, or a new one. Results come first in it because they stand
 * directly after their response in every session.
 * @see ANTHROPIC-2 ANTHROPIC-3 ANTHROPIC-4 SESSION-16
 */
function open(role: WireMessage["role"], { messages }: Rendering): WireMessage {
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

/** @see ANTHROPIC-21 */
function renderTool(tool: Tool, warn: WarnOfLoss, renamed: Map<string, string>): Block {
  const { description, input_schema } = tool;
  const name = legalToolName(tool.name, warn);
  if (name !== tool.name) renamed.set(name, tool.name);
  return wellFormed({ name, description, input_schema });
}
