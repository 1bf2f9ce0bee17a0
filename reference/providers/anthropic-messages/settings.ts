// Renders settings, the choice of a tool and the form of the output as fields of Anthropic's Messages API.

import { isRecord } from "../shared/arguments.ts";
import { legalToolName } from "./parts.ts";
import { narrowSchema } from "./schema.ts";
import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import type { ModelRequest, ModelSettings, ThinkingSettings, ToolChoice } from "../../../schemas/types.ts";

type Fields = Record<string, unknown>;

/** What is sent if nobody says how many tokens an answer may have. The API has no default of its own; every model accepts this many. */
const DEFAULT_MAX_TOKENS = 4096;

/** The API's words for `effort`. */
const efforts = ["low", "medium", "high", "xhigh", "max"];

/** Marks the end of what later requests begin with too. */
const BREAKPOINT = { cache_control: { type: "ephemeral" } };

/**
 * The fields for what a request says beside its messages and tools. `max_tokens`: where its settings have no limit.
 * @see PROVIDER-28 PROVIDER-30 PROVIDER-31 ANTHROPIC-1 ANTHROPIC-23 ANTHROPIC-25
 */
export function renderSettings(request: ModelRequest, max_tokens: number | undefined, warn: WarnOfLoss): Fields {
  const { settings = {}, output_format } = request;
  const { temperature, top_p, stop_sequences, thinking, cache } = settings;
  const schema = output_format && narrowSchema(output_format.schema, warn);
  const output_config = {
    ...renderEffort(settings, warn),
    ...(schema && { format: { type: "json_schema", schema } }),
  };
  const tool_choice = renderChoice(request, warn);
  return {
    max_tokens: settings.max_output_tokens ?? max_tokens ?? DEFAULT_MAX_TOKENS + (thinking?.budget_tokens ?? 0),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(stop_sequences && { stop_sequences }),
    ...(thinking && { thinking: renderThinking(thinking, warn) }),
    ...(Object.keys(output_config).length > 0 && { output_config }),
    ...(tool_choice && { tool_choice }),
    ...(cache === "prefix" && BREAKPOINT),
  };
}

/** The system text. Where prefixes are cached, it ends the part that all conversations of an agent share. @see ANTHROPIC-23 */
export function renderSystemField(texts: string[], { cache }: ModelSettings = {}): string | Fields[] {
  const text = texts.join("\n\n").toWellFormed();
  return cache === "prefix" ? [{ type: "text", text, ...BREAKPOINT }] : text;
}

/**
 * The body with the fields that the adapter was given, which win. Of `output_config`, which holds several settings, both sides
 * keep what the other does not say.
 */
export function withExtraFields(body: Fields, extra: Fields = {}): Fields {
  const [own, more] = [body.output_config, extra.output_config];
  const output_config = isRecord(own) && isRecord(more) ? { output_config: { ...own, ...more } } : {};
  return { ...body, ...extra, ...output_config };
}

function renderEffort({ effort }: ModelSettings, warn: WarnOfLoss): Fields {
  if (effort === undefined) return {};
  if (efforts.includes(effort)) return { effort };
  warn(losses.effort, `the effort ${effort} was left out: the API knows ${efforts.join(", ")}`);
  return {};
}

function renderThinking({ mode, budget_tokens, display }: ThinkingSettings, warn: WarnOfLoss): Fields {
  const shown = display !== undefined && { display };
  if (mode === "budget") return { type: "enabled", budget_tokens, ...shown };
  if (mode === "adaptive") return { type: "adaptive", ...shown };
  if (shown) warn(losses.display, `thinking.display ${display} was left out: the model is not to think`);
  return { type: "disabled" };
}

/** The API refuses a choice without tools, and one of a tool that the request does not declare. @see ANTHROPIC-24 */
function renderChoice({ tool_choice: choice, tools, settings }: ModelRequest, warn: WarnOfLoss): Fields | undefined {
  const parallel = tools.length > 0 ? settings?.parallel_tool_calls : undefined;
  if (choice === undefined && parallel === undefined) return undefined;
  const type = typed(choice ?? "auto");
  const isThere = type.name === undefined ? tools.length > 0 : tools.some(({ name }) => name === type.name);
  if (!isThere) {
    if (type.type === "any" || type.type === "tool")
      warn(losses.choice, `the tool_choice ${JSON.stringify(choice)} was left out: the request has no such tool`);
    return parallel === undefined ? undefined : { type: "auto", disable_parallel_tool_use: !parallel };
  }
  return {
    ...type,
    ...(type.name !== undefined && { name: legalToolName(type.name, () => undefined) }),
    ...(parallel !== undefined && type.type !== "none" && { disable_parallel_tool_use: !parallel }),
  };
}

function typed(choice: ToolChoice): { type: string; name?: string } {
  if (typeof choice !== "string") return { type: "tool", name: choice.name };
  return { type: choice === "required" ? "any" : choice };
}
