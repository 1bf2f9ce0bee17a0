// Reads the settings of a request to the Anthropic Messages API back into generic terms.

import type { ModelSettings, OutputFormat, ThinkingSettings, ToolChoice } from "../../../../schemas/types.ts";
import type { GenericRequest } from "../codec.ts";
import { isObject, isText, listOf, type JsonObject } from "../shared/json.ts";

/** The settings of a request: everything beside its messages and tools. */
export function readSettings(fields: JsonObject): Pick<GenericRequest, "settings" | "tool_choice" | "output_format"> {
  const { max_tokens, temperature, top_p, stop_sequences, output_config, tool_choice } = fields;
  const config = isObject(output_config) ? output_config : {};
  const choice = isObject(tool_choice) ? tool_choice : {};
  const thinking = thinkingOf(fields["thinking"]);
  const settings = {
    ...(max_tokens !== undefined && { max_output_tokens: max_tokens }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(stop_sequences !== undefined && { stop_sequences }),
    ...(isText(config["effort"]) && { effort: config["effort"] }),
    ...(thinking && { thinking }),
    ...(choice["disable_parallel_tool_use"] !== undefined && {
      parallel_tool_calls: choice["disable_parallel_tool_use"] !== true,
    }),
    ...(endsWithBreakpoint(fields) && { cache: "prefix" }),
  } as ModelSettings;
  const chosen = choiceOf(choice);
  const format = isObject(config["format"]) ? config["format"] : undefined;
  return {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(chosen !== undefined && { tool_choice: chosen }),
    ...(format && { output_format: { name: "output", schema: format["schema"] as OutputFormat["schema"] } }),
  };
}

/** Whether the next, longer request finds this one in the cache: the last block is marked, or the server is to mark it. */
function endsWithBreakpoint({ cache_control, messages }: JsonObject): boolean {
  const last = listOf(messages).at(-1);
  const block = isObject(last) ? listOf(last["content"]).at(-1) : undefined;
  return isObject(cache_control) || (isObject(block) && isObject(block["cache_control"]));
}

function thinkingOf(thinking: unknown): ThinkingSettings | undefined {
  if (!isObject(thinking)) return undefined;
  const { type, budget_tokens, display } = thinking;
  const shown = isText(display) ? { display: display as NonNullable<ThinkingSettings["display"]> } : {};
  if (type === "enabled") return { mode: "budget", budget_tokens: Number(budget_tokens), ...shown };
  if (type === "adaptive") return { mode: "adaptive", ...shown };
  return { mode: "off" };
}

function choiceOf({ type, name }: JsonObject): ToolChoice | undefined {
  if (type === "tool") return { name: String(name) };
  if (type === "any") return "required";
  return type === "auto" || type === "none" ? type : undefined;
}
