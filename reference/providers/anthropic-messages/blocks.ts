// Renders one message as the content blocks of Anthropic's Messages API.

import { exactText, parseExactly } from "../shared/arguments.ts";
import { wellFormed } from "../../support/well-formed.ts";
import { isBlank, legalId, legalToolName, PROVIDER, renderPart } from "./parts.ts";
import { SILENT_FAILURE, warnInto } from "../shared/parts.ts";
import type { Block } from "./parts.ts";
import { losses } from "./losses.ts";
import type { RenderWarning, WarnOfLoss } from "../shared/losses.ts";
import type { Message, Part, ToolCallMessage, ToolResultMessage } from "../../../schemas/types.ts";

/** What one message alone is rendered to, wherever it stands. */
export interface Fragment {
  blocks: Block[];
  /** What the API refuses in the block of a result, and what goes behind all results of the response. */
  beside?: Block[];
  warnings: RenderWarning[];
  container?: unknown;
}

/** What a message of the session is sent as to this model, whatever stands around it. @see PROVIDER-13 */
export function renderFragment(message: Message, model: string): Fragment {
  const warnings: RenderWarning[] = [];
  const warn = warnInto(warnings);
  if (message.role === "user") return wellFormed({ blocks: renderUser(message.content, warn), warnings });
  if (message.type === "tool_result") return wellFormed({ ...renderResult(message, warn), warnings });
  const { opaque } = message as { opaque?: Record<string, unknown> };
  const own = opaque?.provider === PROVIDER && opaque.model === model;
  const {
    provider: _provider,
    model: _model,
    container,
    stop_sequence: _stop,
    thread: _thread,
    ...kept
  } = own ? opaque : {};
  const block = renderModelMessage(message, kept, model, warn);
  const blocks = block ? [block] : [];
  const id = container ? ((container as { id?: unknown }).id ?? container) : undefined;
  return wellFormed({ blocks, warnings, ...(id !== undefined && { container: id }) });
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
function renderResult({ id, output, is_error }: ToolResultMessage, warn: WarnOfLoss): Omit<Fragment, "warnings"> {
  const content = typeof output === "string" ? output : output.flatMap((part) => renderPart(part, warn));
  const result = { type: "tool_result", tool_use_id: legalId(id, warn) };
  return is_error ? renderError(result, content, warn) : { blocks: [{ ...result, content }] };
}

/** The API takes an error only with texts, and with at least one. @see ANTHROPIC-31 PROVIDER-42 */
function renderError(result: Block, content: string | Block[], warn: WarnOfLoss): Omit<Fragment, "warnings"> {
  const error = { ...result, content: SILENT_FAILURE, is_error: true };
  if (typeof content === "string") return { blocks: [isBlank(content) ? error : { ...error, content }] };
  const texts = content.filter(({ type }) => type === "text");
  const others = content.filter(({ type }) => type !== "text");
  const blocks = [texts.length === 0 ? error : { ...error, content: texts }];
  if (others.length === 0) return { blocks };
  warn(
    losses.moved,
    "images and documents of an error were moved behind the results: the API refuses them in an error",
  );
  return { blocks, beside: [{ type: "text", text: `Output of the call ${String(result.tool_use_id)}:` }, ...others] };
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
