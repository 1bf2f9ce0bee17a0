// Reads the settings, the tool choice and the output format of a request to either of OpenAI's APIs.

import type { ModelSettings, OutputFormat, ToolChoice } from "../../../../schemas/types.ts";
import type { GenericRequest } from "../codec.ts";
import { hasText, isObject, isText, listOf, type JsonObject } from "../shared/json.ts";

/** Where one of the APIs has what. */
export interface SettingFields {
  /** The limits of the output, the name that counts first. */
  limits: readonly string[];
  stop?: unknown;
  effort: unknown;
  summary?: unknown;
  /** The object with `name` and `schema`, where the output has a form. */
  format: unknown;
}

export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** The three in generic terms, each only if the request has it. */
export function readSettings(
  fields: JsonObject,
  where: SettingFields,
): Pick<GenericRequest, "settings" | "tool_choice" | "output_format"> {
  const settings = settingsOf(fields, where);
  const tool_choice = choiceOf(fields["tool_choice"]);
  const output_format = formatOf(where.format);
  return {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(tool_choice !== undefined && { tool_choice }),
    ...(output_format !== undefined && { output_format }),
  };
}

function settingsOf(fields: JsonObject, { limits, stop, effort, summary }: SettingFields): ModelSettings {
  const limit = limits.map((name) => fields[name]).find((value) => typeof value === "number");
  const { temperature, top_p, parallel_tool_calls } = fields;
  const known = efforts.find((word) => word === effort);
  const thinking = thinkingOf(known, summary);
  const stops = isText(stop) ? [stop] : listOf(stop).filter(isText);
  const cache = cacheOf(fields);
  return {
    ...(typeof limit === "number" && { max_output_tokens: limit }),
    ...(typeof temperature === "number" && { temperature }),
    ...(typeof top_p === "number" && { top_p }),
    ...(stops.length > 0 && { stop_sequences: stops }),
    ...(known !== undefined && { effort: known }),
    ...(thinking !== undefined && { thinking }),
    ...(typeof parallel_tool_calls === "boolean" && { parallel_tool_calls }),
    ...(cache !== undefined && { cache }),
  };
}

/** Here, no effort and no thinking are the same value of one field. */
function thinkingOf(effort: string | undefined, summary: unknown): ModelSettings["thinking"] {
  if (effort === "none") return { mode: "off" };
  return isText(summary) ? { mode: "adaptive", display: "summarized" } : undefined;
}

function cacheOf(fields: JsonObject): ModelSettings["cache"] {
  const options = fields["prompt_cache_options"];
  if (isObject(options) && options["mode"] === "explicit") return "off";
  return hasText(fields["prompt_cache_key"]) ? "prefix" : undefined;
}

/** Chat Completions has the name of a tool inside a field that is called like its type, Responses beside the type. */
function choiceOf(choice: unknown): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  if (!isObject(choice)) return undefined;
  const inside = choice[String(choice["type"])];
  const { name, mode } = (isObject(inside) ? inside : choice) as { name?: unknown; mode?: unknown };
  if (hasText(name)) return { name };
  return mode === "auto" || mode === "required" ? mode : undefined;
}

function formatOf(format: unknown): OutputFormat | undefined {
  if (!isObject(format) || !isObject(format["schema"])) return undefined;
  return { name: String(format["name"]), schema: format["schema"] };
}
