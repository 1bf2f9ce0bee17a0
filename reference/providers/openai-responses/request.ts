// Renders a generic request as the body of the Responses API.

import { wellFormed } from "../../support/well-formed.ts";
import { losses } from "./losses.ts";
import type { RenderWarning, WarnOfLoss } from "../shared/losses.ts";
import { leadingCount, leadingSystem, SILENT_FAILURE, warnInto } from "../shared/parts.ts";
import type { RenderedBody } from "../shared/rendered-body.ts";
import { lastKept, printOf, upTo } from "./server-state.ts";
import { legalId, PROVIDER, renderPart } from "./parts.ts";
import { withoutUnanswered, type ServerCalls } from "../shared/unanswered.ts";
import type { Fields } from "./parts.ts";
import { callIdOf, isCustom, isSelfContained, ownOf, renderAssistant } from "./assistant.ts";
import { renderSettings, renderTool } from "./settings.ts";
import { hasText, renderContent } from "../openai/parts.ts";
import { withExtraFields } from "../openai/settings.ts";
import { createRenderCache } from "../shared/render-cache.ts";
import type { RenderCache } from "../shared/render-cache.ts";
import type {
  Message,
  ModelRequest,
  ToolCallMessage,
  ToolResultMessage,
  TransportName,
} from "../../../schemas/types.ts";

/**
 * What a request is rendered with. `max_tokens`: the limit of a request that has none. `conversation`: with `whole`, the server
 * keeps it, but is sent everything. `request` is merged into the body, last.
 */
export interface RenderSettings {
  model: string;
  max_tokens?: number | undefined;
  transport?: TransportName | undefined;
  conversation?: "stateless" | "server" | "whole" | undefined;
  request?: Record<string, unknown> | undefined;
}

/** What one message alone is rendered to, wherever it stands. `print` stands for the item, once somebody has asked. */
export interface Fragment {
  item?: Fields;
  warnings: RenderWarning[];
  print?: string;
}

interface Rendering {
  model: string;
  cache: RenderCache<Fragment>;
  /** Whether an id alone may stand for an item, as the application has its responses stored. */
  stored: boolean;
  input: Fields[];
  /** The ids of the items in `input`; the API refuses one that stands twice. */
  ids: Set<unknown>;
  /** The response that is being read: its messages and their items. */
  response: { message: Message; item: Fields | undefined }[];
  calls: Map<string, ToolCallMessage>;
  warnings: RenderWarning[];
}

/**
 * Renders a request. Pure: the same request always gives the same body, and, where the server keeps nothing, a longer session
 * begins with the same items. With the `cache` of earlier requests, only the messages that are new are rendered.
 * @see PROVIDER-1 PROVIDER-3 PROVIDER-13
 */
export function renderRequest(
  request: ModelRequest,
  settings: RenderSettings,
  cache: RenderCache<Fragment> = createRenderCache(),
): RenderedBody {
  const { model = settings.model } = request;
  const extra = wellFormed(settings.request ?? {});
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  const { messages } = request;
  const { texts: instructions, count: leading } = leadingSystem(messages, (text) => hasText(text, losses, warn));
  const kept = settings.conversation === "server" ? lastKept(printed(request, model, cache), model) : undefined;
  const begun = leading + (kept?.end ?? 0);
  const { store = false } = extra;
  const stored = store !== false;
  const begin = (): Rendering => {
    const before = messages.slice(0, begun).filter((message) => message.type === "tool_call");
    const calls = new Map(before.map((call) => [call.id, call]));
    return { model, cache, stored, input: [], ids: new Set(), response: [], calls, warnings: [] };
  };
  // What the server keeps it has with its own calls, whatever became of them.
  const sent = withoutUnanswered(messages.slice(begun), serverCalls, losses.unanswered, warn);
  const rendering = ended(cache.follow(sent, `${model} ${stored}`, begin, renderMessage));
  warnings.push(...rendering.warnings);
  const renamed = new Map<string, string>();
  const tools = request.tools.map((tool) => renderTool(tool, warn, renamed));
  const body = {
    model,
    ...(instructions.length > 0 && { instructions: instructions.join("\n\n").toWellFormed() }),
    ...(kept && { previous_response_id: kept.response_id }),
    input: rendering.input,
    ...(tools.length > 0 && { tools }),
    ...wellFormed(renderSettings(request, settings.max_tokens, warn)),
    store: (settings.conversation ?? "stateless") !== "stateless",
    include: ["reasoning.encrypted_content"],
    ...(settings.transport !== "json" && { stream: true }),
  };
  return { body: withExtraFields(body, extra, ["reasoning", "text"]), warnings, renamed };
}

const awaited = ["shell_call", "local_shell_call", "computer_call", "apply_patch_call"];
const serverCalls: ServerCalls = {
  provider: PROVIDER,
  called(item) {
    if (isOwnCall(item)) return typeof item.call_id === "string" ? item.call_id : "";
    return awaited.includes(String(item.type)) ? item.call_id : undefined;
  },
  answered: ({ type, call_id }) => (String(type).endsWith("_output") ? call_id : undefined),
  isOver: isOwnCall,
};

/** Whether an item is a call that the server made in the form of a custom one, and answered where nobody sees it. @see RESPONSES-41 */
function isOwnCall({ type }: Fields): boolean {
  return type === "custom_tool_call";
}

/** A rendering as it is if nothing follows. The one that may go on is left as it was. */
function ended({ input, ids, warnings, ...rendering }: Rendering): Rendering {
  const isOpen = rendering.response.length > 0;
  const copy = { ...rendering, input: [...input], ids: isOpen ? new Set(ids) : ids, warnings: [...warnings] };
  closeResponse(copy);
  return copy;
}

/**
 * What stands for the conversation of a request, and whether the request refers to a response that the server has.
 * @see RESPONSES-24
 */
export function readConversation(request: ModelRequest, settings: RenderSettings, cache: RenderCache<Fragment>) {
  const { model = settings.model } = request;
  const conversation = printed(request, model, cache);
  return { model, sum: upTo(conversation), refers: lastKept(conversation, model) !== undefined };
}

/** What stands for one message of the model. */
export function printMessage(message: Message, model: string): string {
  return printOf(renderFragment(message, model).item);
}

function printed({ messages }: ModelRequest, model: string, cache: RenderCache<Fragment>) {
  return messages.slice(leadingCount(messages)).map((message) => {
    const fragment = cache.getOrRender(message, model, () => renderFragment(message, model));
    return { message, print: (fragment.print ??= printOf(fragment.item)) };
  });
}

function renderMessage(message: Message, rendering: Rendering): void {
  const { cache, model, input, warnings } = rendering;
  const fragment = cache.getOrRender(message, model, () => renderFragment(message, model));
  warnings.push(...fragment.warnings);
  if (message.type === "tool_call") rendering.calls.set(message.id, message);
  const { item } = fragment;
  if (message.role !== "system" && message.role !== "user" && message.type !== "tool_result") {
    rendering.response.push({ message, item });
    return;
  }
  closeResponse(rendering);
  if (!item) return;
  if (message.type !== "tool_result") input.push(item);
  else input.push({ ...item, ...answerTo(rendering.calls.get(message.id), rendering.model) });
}

/** What a result repeats of its call. @see RESPONSES-7 */
function answerTo(call: ToolCallMessage | undefined, model: string): Fields {
  if (!call) return {};
  const { caller } = ownOf(call, model) ?? {}; // as the call itself has it
  return {
    ...(isCustom(call) && { type: "custom_tool_call_output" }),
    call_id: callIdOf(call, () => undefined),
    // A call that a program of the provider made is answered to that program.
    ...(caller !== undefined && { caller }),
  };
}

/** Sends the items of a response, now that it is known what follows what. @see RESPONSES-4 RESPONSES-5 RESPONSES-6 */
function closeResponse(rendering: Rendering): void {
  const { response, stored, ids, warnings } = rendering;
  rendering.response = [];
  const end = response.findLastIndex(({ message, item }) => message.type !== "thinking" && item);
  let whole = true;
  for (const [at, { message, item }] of response.entries()) {
    if (message.type !== "thinking") {
      if (item) add(whole || message.type === "provider_item" ? item : withoutId(item), rendering);
      continue;
    }
    const sent = item && at < end && (isSelfContained(item) || (stored && !ids.has(item.id)));
    if (sent) add(item, rendering);
    else whole = false;
    if (sent || !item) continue;
    const why = at < end ? "it is only a reference, and nothing was stored" : "nothing of its response follows it";
    warnInto(warnings)(losses.reference, `thinking was left out: ${why}`);
  }
}

/** Adds an item; the texts of one `message` item of the model go back as its parts. */
function add(item: Fields, { input, ids }: Rendering): void {
  const { id } = item;
  if (id === undefined) return void input.push(item);
  const last = input.at(-1);
  const same = item.type === "message" && last?.type === "message" && id === last.id;
  if (!same) input.push(ids.has(id) ? withoutId(item) : item);
  else input[input.length - 1] = { ...last, content: [...(last.content as Fields[]), ...(item.content as Fields[])] };
  ids.add(id);
}

/** An item as one that the API has not seen. That a text or a call is complete goes with its id; of other items it is a part. */
function withoutId({ id: _id, ...item }: Fields): Fields {
  const { status: _status, ...rest } = item;
  return ["message", "function_call", "custom_tool_call"].includes(String(item.type)) ? rest : item;
}

function renderFragment(message: Message, model: string): Fragment {
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  const item = renderItem(message, model, warn);
  return item ? wellFormed({ item, warnings }) : { warnings };
}

function renderItem(message: Message, model: string, warn: WarnOfLoss): Fields | undefined {
  if (message.type === "tool_result") return renderResult(message, warn);
  if (message.role !== "system" && message.role !== "user") return renderAssistant(message, model, warn);
  const content = renderContent(message, renderPart, losses, warn);
  return content === undefined ? undefined : { role: message.role, content };
}

/** @see RESPONSES-8 */
function renderResult({ id, output, is_error }: ToolResultMessage, warn: WarnOfLoss): Fields {
  const parts = typeof output === "string" ? output : output.flatMap((part) => renderPart(part, warn));
  const call_id = legalId(id, warn);
  const nothing = is_error ? SILENT_FAILURE : ""; // [PROVIDER-42]
  return { type: "function_call_output", call_id, output: parts.length === 0 ? nothing : parts };
}
