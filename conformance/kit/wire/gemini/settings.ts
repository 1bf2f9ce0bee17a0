// Reads the settings of a request to Gemini back into generic terms.

import type { ModelSettings, OutputFormat, ThinkingSettings, ToolChoice } from "../../../../schemas/types.ts";
import type { GenericRequest } from "../codec.ts";
import { isObject, isText, listOf, type JsonObject } from "../shared/json.ts";

/** The settings of a request: everything beside its contents and tools. */
export function readSettings(fields: JsonObject): Pick<GenericRequest, "settings" | "tool_choice" | "output_format"> {
  const config = isObject(fields["generationConfig"]) ? fields["generationConfig"] : {};
  const { maxOutputTokens, temperature, topP, stopSequences, responseJsonSchema } = config;
  const thinking = isObject(config["thinkingConfig"]) ? config["thinkingConfig"] : {};
  const mode = thinkingOf(thinking);
  const settings = {
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stopSequences !== undefined && { stop_sequences: stopSequences }),
    ...(isText(thinking["thinkingLevel"]) && { effort: thinking["thinkingLevel"].toLowerCase() }),
    ...(mode && { thinking: mode }),
  } as ModelSettings;
  const chosen = choiceOf(fields["toolConfig"]);
  return {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(chosen !== undefined && { tool_choice: chosen }),
    ...(isObject(responseJsonSchema) && {
      output_format: { name: "output", schema: responseJsonSchema as OutputFormat["schema"] },
    }),
  };
}

function thinkingOf({ thinkingBudget, includeThoughts }: JsonObject): ThinkingSettings | undefined {
  if (thinkingBudget === 0) return { mode: "off" };
  const shown = includeThoughts === false ? { display: "omitted" as const } : {};
  if (typeof thinkingBudget === "number" && thinkingBudget > 0)
    return { mode: "budget", budget_tokens: thinkingBudget, ...shown };
  return includeThoughts === undefined && thinkingBudget === undefined ? undefined : { mode: "adaptive", ...shown };
}

function choiceOf(toolConfig: unknown): ToolChoice | undefined {
  const config = isObject(toolConfig) ? toolConfig["functionCallingConfig"] : undefined;
  if (!isObject(config)) return undefined;
  const [name] = listOf(config["allowedFunctionNames"]);
  if (config["mode"] === "ANY") return name === undefined ? "required" : { name: String(name) };
  return config["mode"] === "AUTO" ? "auto" : config["mode"] === "NONE" ? "none" : undefined;
}
