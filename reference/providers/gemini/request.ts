// Renders a generic request as the body of Gemini's generateContent.

import { exactText, isRecord, parseExactly } from "../shared/arguments.ts";
import { wellFormed } from "../../support/well-formed.ts";
import { losses } from "./losses.ts";
import { legalToolName, PROVIDER, renderPart, type Fields } from "./parts.ts";
import { renderSettings, withExtraFields } from "./settings.ts";
import type { RenderWarning, WarnOfLoss } from "../shared/losses.ts";
import { leadingSystem, SILENT_FAILURE, warnInto } from "../shared/parts.ts";
import type { RenderedBody } from "../shared/rendered-body.ts";
import { createRenderCache, type RenderCache } from "../shared/render-cache.ts";
import { withoutUnanswered, type ServerCalls } from "../shared/unanswered.ts";
import type { Message, ModelRequest, Part, Tool, ToolCallMessage, ToolResultMessage } from "../../../schemas/types.ts";

/** What a request is rendered with. `max_tokens`: the limit of a request that has none. `request` is merged into the body, last. */
export interface RenderSettings {
  model: string;
  max_tokens?: number | undefined;
  request?: Record<string, unknown> | undefined;
}

/** What one message alone is rendered to, wherever it stands. */
export interface Fragment {
  parts: Fields[];
  warnings: RenderWarning[];
}

type Kind = "user" | "results" | "model";

interface Content {
  role: "user" | "model";
  parts: Fields[];
}

interface Rendering {
  model: string;
  cache: RenderCache<Fragment>;
  contents: Content[];
  /** Whose the last content is. */
  kind: Kind | undefined;
  /** The names of the calls so far, as they are sent, by id. */
  names: Map<string, string>;
  warnings: RenderWarning[];
  /** Why the format has no place for a message, if it has none. */
  unsupported: string | undefined;
}

/** With `unsupported`, the body must not be sent: the format has no place for something in the session. */
export interface RenderedRequest extends RenderedBody {
  unsupported?: string;
}

/**
 * What Google documents for a call that has no signature, because another model made it for example.
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const NO_SIGNATURE = "skip_thought_signature_validator";

/** The calls of the server's own tools that have an id, and what answers them. @see PROVIDER-44 */
const serverCalls: ServerCalls = {
  provider: PROVIDER,
  called: (item) => idIn(item, "toolCall", "executableCode"),
  answered: (item) => idIn(item, "toolResponse", "codeExecutionResult"),
};

/** Models that do not ask for signatures. */
const asksForNone = /(?:^|\/)gemini-(?:1|2)[.-]/;

/**
 * Renders a request. Pure: the same request always gives the same body, and a longer session begins with the same contents.
 * With the `cache` of earlier requests, only the messages that are new are rendered. The model and the kind of answer are in the path.
 * @see PROVIDER-1 PROVIDER-3 PROVIDER-13 GEMINI-1 GEMINI-3
 */
export function renderRequest(
  request: ModelRequest,
  settings: RenderSettings,
  cache: RenderCache<Fragment> = createRenderCache(),
): RenderedRequest {
  const model = request.model ?? settings.model;
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  const { texts: system, count: leading } = leadingSystem(request.messages, (text) => hasText(text, "system", warn));
  const begin = (): Rendering => {
    return { model, cache, contents: [], kind: undefined, names: new Map(), warnings: [], unsupported: undefined };
  };
  const conversation = withoutUnanswered(request.messages, serverCalls, losses.unanswered, warn);
  const rendering = cache.follow(conversation.slice(leading), model, begin, renderMessage);
  warnings.push(...rendering.warnings);
  const renamed = new Map<string, string>();
  const declared = request.tools.map((tool) => renderTool(tool, warn, renamed));
  const body = {
    contents: rendering.contents.map(({ role, parts }) => ({ role, parts: [...parts] })),
    ...(system.length > 0 && { systemInstruction: { parts: [{ text: system.join("\n\n").toWellFormed() }] } }),
    ...(declared.length > 0 && { tools: [{ functionDeclarations: declared }] }),
    ...wellFormed(renderSettings(request, settings.max_tokens, warn)),
  };
  const rendered = { body: withExtraFields(body, wellFormed(settings.request)), warnings, renamed };
  const { unsupported } = rendering;
  return unsupported === undefined ? rendered : { ...rendered, unsupported };
}

function renderMessage(message: Message, rendering: Rendering): void {
  const { cache, model, names, warnings } = rendering;
  if (message.role === "system") return refuse(message.content, rendering);
  const fragment = cache.getOrRender(message, model, () => renderFragment(message, model));
  warnings.push(...fragment.warnings);
  if (fragment.parts.length === 0) return;
  const content = open(kindOf(message), rendering);
  if (message.type === "tool_call")
    names.set(
      message.id,
      legalToolName(message.name, () => undefined),
    );
  if (message.type === "tool_result") {
    const name = names.get(message.id) ?? "unknown";
    content.parts.push(
      ...fragment.parts.map((part) => ({
        functionResponse: { id: message.id, name, ...(part.functionResponse as Fields) },
      })),
    );
    return;
  }
  const isFirst = !content.parts.some((part) => "functionCall" in part);
  const isAsked = message.type === "tool_call" && isFirst && !asksForNone.test(model);
  content.parts.push(...fragment.parts.map((part) => (isAsked ? { thoughtSignature: NO_SIGNATURE, ...part } : part)));
}

/** @see PROVIDER-5 */
function refuse(text: string, rendering: Rendering): void {
  if (!hasText(text, "system", warnInto(rendering.warnings))) return;
  rendering.unsupported ??=
    "a system message after the beginning: the API has one place for instructions, before the conversation. Put it into the instructions, or say it as the user";
}

function kindOf({ type, role }: Message): Kind {
  if (type === "tool_result") return "results";
  return role === "user" ? "user" : "model";
}

/** The content that takes parts of this kind: the last one, or a new one. Results stand alone. @see GEMINI-1 GEMINI-2 */
function open(kind: Kind, rendering: Rendering): Content {
  const last = rendering.contents.at(-1);
  if (last && rendering.kind === kind) return last;
  const content: Content = { role: kind === "model" ? "model" : "user", parts: [] };
  rendering.contents.push(content);
  rendering.kind = kind;
  return content;
}

/** What a message is sent as to this model, whatever stands around it. @see PROVIDER-13 */
function renderFragment(message: Message, model: string): Fragment {
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  if (message.role === "user") return wellFormed({ parts: renderUser(message.content, warn), warnings });
  if (message.type === "tool_result")
    return wellFormed({ parts: [{ functionResponse: renderResult(message, warn) }], warnings });
  if (message.type === "tool_call") return renderCall(message, model, warnings);
  return wellFormed({ parts: renderSaid(message, model, warn), warnings });
}

function renderUser(content: string | Part[], warn: WarnOfLoss): Fields[] {
  const parts = typeof content === "string" ? textParts(content) : content.flatMap((part) => renderPart(part, warn));
  if (parts.length === 0) warn(losses.emptyMessage, "a user message without content was left out");
  return parts;
}

/** @see GEMINI-4 GEMINI-5 */
function renderResult({ output, is_error }: ToolResultMessage, warn: WarnOfLoss): Fields {
  const parts = typeof output === "string" ? textParts(output) : output.flatMap((part) => renderPart(part, warn));
  const text = parts.flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join("\n");
  const media = parts.filter((part) => typeof part.text !== "string");
  const response = is_error ? { error: text || SILENT_FAILURE } : { output: text };
  return { response, ...(media.length > 0 && { parts: media }) };
}

/** @see GEMINI-6 GEMINI-7 */
function renderCall(call: ToolCallMessage, model: string, warnings: RenderWarning[]): Fragment {
  const exact = exactText(call);
  const functionCall = {
    id: call.id,
    name: legalToolName(call.name, warnInto(warnings)),
    args: wellFormed(call.input ?? {}),
  };
  const sent = exact === undefined ? functionCall : { ...functionCall, args: parseExactly(exact) };
  const { signature, beside } = ownOf(call, model) ?? {};
  const part = {
    ...(beside as Fields | undefined),
    functionCall: sent,
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
  return { parts: [part], warnings };
}

/** Texts, thoughts and items of the model. @see GEMINI-6 */
function renderSaid(message: Message, model: string, warn: WarnOfLoss): Fields[] {
  if (message.type === "provider_item") {
    if (message.provider === PROVIDER && (message.model ?? model) === model) return [message.item];
    warn(losses.item, `an item of ${message.provider} was left out`);
    return [];
  }
  if (message.type === "thinking") {
    const own = ownOf(message, model);
    if (own) return signed([{ text: message.content, thought: true }], own);
    warn(losses.thinking, "thinking of another provider or model was left out");
    return [];
  }
  if (message.role === "assistant") {
    const own = ownOf(message, model) ?? {};
    if (message.content !== "" || own.signature !== undefined) return signed(textParts(message.content), own);
    warn(losses.emptyMessage, "an assistant message without text was left out");
    return [];
  }
  warn(losses.unknown, `a message of the unknown type ${String((message as { type?: unknown }).type)} was left out`);
  return [];
}

/** The parts with the signature on the last one, or behind it, as it came. @see GEMINI-17 */
function signed(parts: Fields[], { signature, signature_apart: isApart }: Fields): Fields[] {
  if (signature === undefined) return parts;
  const last = { ...parts.at(-1), ...(isApart === true || parts.length === 0 ? { text: "" } : {}) };
  return [...parts.slice(0, isApart === true ? undefined : -1), { ...last, thoughtSignature: signature }];
}

/** What this model kept beside a message of its own; nothing where the message is another's. @see PROVIDER-7 */
function ownOf(message: Message, model: string): Fields | undefined {
  const { opaque } = message as { opaque?: Fields };
  return opaque?.provider === PROVIDER && opaque.model === model ? opaque : undefined;
}

function idIn(item: Fields, ...names: string[]): unknown {
  const [found] = names.map((name) => item[name]).filter(isRecord);
  return found?.id;
}

function textParts(text: string): Fields[] {
  return text === "" ? [] : [{ text }];
}

function hasText(text: string, whose: string, warn: WarnOfLoss): boolean {
  if (text !== "") return true;
  warn(losses.emptyMessage, `a ${whose} message without text was left out`);
  return false;
}

/** @see GEMINI-8 */
function renderTool(tool: Tool, warn: WarnOfLoss, renamed: Map<string, string>): Fields {
  const { description, input_schema } = tool;
  const name = legalToolName(tool.name, warn);
  if (name !== tool.name) renamed.set(name, tool.name);
  return wellFormed({ name, ...(description !== undefined && { description }), parametersJsonSchema: input_schema });
}
