// Renders settings, the choice of a tool and the form of the output as fields of Gemini's generateContent.

import { isRecord } from "../shared/arguments.ts";
import { losses } from "./losses.ts";
import { legalToolName, type Fields } from "./parts.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import type { ModelRequest, ModelSettings, ToolChoice } from "../../../schemas/types.ts";

/** The API's words for `effort`. @see https://ai.google.dev/gemini-api/docs/thinking */
const levels = ["minimal", "low", "medium", "high"];

/** The most texts at which a model stops. */
const MOST_STOPS = 5;

/** The fields for what a request says beside its messages and tools. `max_tokens`: where its settings have no limit. @see GEMINI-14 GEMINI-15 GEMINI-16 */
export function renderSettings(request: ModelRequest, max_tokens: number | undefined, warn: WarnOfLoss): Fields {
  const { settings = {}, output_format } = request;
  const { temperature, top_p, stop_sequences: stops } = settings;
  const limit = settings.max_output_tokens ?? max_tokens;
  const thinkingConfig = renderThinking(settings, warn);
  if (stops && stops.length > MOST_STOPS)
    warn(losses.stop, `${stops.length - MOST_STOPS} stop_sequences were left out: the API takes ${MOST_STOPS}`);
  if (settings.parallel_tool_calls !== undefined)
    warn(losses.parallel, "parallel_tool_calls was left out: the API has no field for it");
  if (settings.cache !== undefined)
    warn(losses.cache, "cache was left out: the servers cache beginnings by themselves");
  const generationConfig = {
    ...(limit !== undefined && { maxOutputTokens: limit }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(stops && { stopSequences: stops.slice(0, MOST_STOPS) }),
    ...(thinkingConfig && { thinkingConfig }),
    ...(output_format && { responseMimeType: "application/json", responseJsonSchema: output_format.schema }),
  };
  const functionCallingConfig = renderChoice(request, warn);
  return {
    ...(functionCallingConfig && { toolConfig: { functionCallingConfig } }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
}

/**
 * The body with the fields that the adapter was given, which win. Of `generationConfig`, which holds several settings, both sides
 * keep what the other does not say; tools of the provider stand beside those of the application.
 */
export function withExtraFields(body: Fields, extra: Fields = {}): Fields {
  const [own, more] = [body.generationConfig, extra.generationConfig];
  const generationConfig = isRecord(own) && isRecord(more) ? { generationConfig: { ...own, ...more } } : {};
  const isBoth = Array.isArray(body.tools) && Array.isArray(extra.tools);
  const tools = isBoth ? { tools: [...(body.tools as unknown[]), ...(extra.tools as unknown[])] } : {};
  return { ...body, ...extra, ...generationConfig, ...tools };
}

function renderThinking({ effort, thinking }: ModelSettings, warn: WarnOfLoss): Fields | undefined {
  const level = thinking?.mode === "off" || thinking?.mode === "budget" ? undefined : effort;
  const isKnown = level !== undefined && levels.includes(level);
  if (effort !== undefined && !isKnown) warn(losses.effort, `the effort ${effort} was left out: ${whyNot(thinking)}`);
  if (!thinking && !isKnown) return undefined;
  const shown = thinking?.display === undefined ? {} : { includeThoughts: thinking.display !== "omitted" };
  if (thinking?.mode === "off") {
    if (thinking.display !== undefined)
      warn(losses.display, `thinking.display ${thinking.display} was left out: the model is not to think`);
    return { thinkingBudget: 0 };
  }
  if (thinking?.mode === "budget") return { thinkingBudget: thinking.budget_tokens, includeThoughts: true, ...shown };
  // A level and a budget are refused together, and without either the model thinks as much as it finds right.
  return { ...(isKnown && { thinkingLevel: level }), ...(thinking && { includeThoughts: true }), ...shown };
}

function whyNot(thinking: ModelSettings["thinking"]): string {
  return thinking?.mode === "off" || thinking?.mode === "budget"
    ? `thinking.mode is ${thinking.mode}`
    : `the API knows ${levels.join(", ")}`;
}

/** The API refuses the name of a function that the request does not declare. */
function renderChoice({ tool_choice: choice, tools }: ModelRequest, warn: WarnOfLoss): Fields | undefined {
  if (choice === undefined) return undefined;
  const isThere = typeof choice === "string" ? tools.length > 0 : tools.some(({ name }) => name === choice.name);
  if (isThere) return choiceOf(choice);
  if (choice !== "auto" && choice !== "none")
    warn(losses.choice, `the tool_choice ${JSON.stringify(choice)} was left out: the request has no such tool`);
  return undefined;
}

function choiceOf(choice: ToolChoice): Fields {
  if (typeof choice !== "string")
    return { mode: "ANY", allowedFunctionNames: [legalToolName(choice.name, () => undefined)] };
  return { mode: choice === "required" ? "ANY" : choice.toUpperCase() };
}
