// Renders what a request says beside its messages as fields of the Responses API: tools, settings, the form of the output.

import { isRecord } from "../shared/arguments.ts";
import { wellFormed } from "../../support/well-formed.ts";
import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import { legalToolName } from "./parts.ts";
import type { Fields } from "./parts.ts";
import { cacheFields, choiceOf, effortOf, given } from "../openai/settings.ts";
import { isStrictSchema } from "../openai/strict-schema.ts";
import type { ModelRequest, OutputFormat, Tool } from "../../../schemas/types.ts";

/** The fields for what a request says beside its messages and tools. `max_tokens`: where its settings have no limit. @see RESPONSES-26 */
export function renderSettings(request: ModelRequest, max_tokens: number | undefined, warn: WarnOfLoss): Fields {
  const { settings = {}, output_format, tools } = request;
  const { stop_sequences, thinking } = settings;
  if (stop_sequences) warn(losses.stop, "stop_sequences were left out: the API has no field for them");
  // Readable thinking is a summary, and none comes unless it is asked for.
  const summary = thinking?.display === "summarized" ? "auto" : undefined;
  const reasoning = given({ effort: effortOf(settings, losses, warn), summary });
  return given({
    tool_choice: choiceOf(request, chosen, losses, warn),
    parallel_tool_calls: tools.length > 0 ? settings.parallel_tool_calls : undefined,
    text: output_format && { format: formatOf(output_format) },
    max_output_tokens: settings.max_output_tokens ?? max_tokens,
    temperature: settings.temperature,
    top_p: settings.top_p,
    reasoning: Object.keys(reasoning).length > 0 ? reasoning : undefined,
    ...cacheFields(request),
  });
}

/** @see RESPONSES-27 */
function chosen(name: string): Fields {
  return { type: "function", name: legalToolName(name, () => undefined) };
}

/** @see RESPONSES-28 RESPONSES-29 */
function formatOf({ name, schema }: OutputFormat): Fields {
  return { type: "json_schema", name, schema, strict: isStrictSchema(schema) };
}

/** A tool as it is declared; one whose name the API refuses is noted in `renamed`. @see RESPONSES-13 RESPONSES-14 */
export function renderTool(tool: Tool, warn: WarnOfLoss, renamed: Map<string, string>): Fields {
  const { description, input_schema } = tool;
  const name = legalToolName(tool.name, warn);
  if (name !== tool.name) renamed.set(name, tool.name);
  const parameters = isRecord(input_schema.properties) ? input_schema : { ...input_schema, properties: {} };
  const declared = { name, ...(description !== undefined && { description }), parameters, strict: false };
  return wellFormed({ type: "function", ...declared });
}
