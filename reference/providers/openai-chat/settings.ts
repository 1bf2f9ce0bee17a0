// Renders settings, the choice of a tool and the form of the output as fields of the Chat Completions API.

import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";
import { legalToolName } from "./parts.ts";
import type { Fields } from "./parts.ts";
import { cacheFields, choiceOf, effortOf, given } from "../openai/settings.ts";
import { isStrictSchema } from "../openai/strict-schema.ts";
import type { ModelRequest, OutputFormat } from "../../../schemas/types.ts";

/** How many `stop` texts the API takes. */
const mostStops = 4;

/** The fields for what a request says beside its messages and tools. `max_tokens`: where its settings have no limit. @see CHAT-30 */
export function renderSettings(request: ModelRequest, max_tokens: number | undefined, warn: WarnOfLoss): Fields {
  const { settings = {}, tools, output_format } = request;
  const { stop_sequences: stop = [], thinking } = settings;
  if (stop.length > mostStops)
    warn(losses.stop, `${stop.length - mostStops} of ${stop.length} stop sequences were left out: the API takes four`);
  if (thinking?.display !== undefined)
    warn(losses.display, `thinking.display ${thinking.display} was left out: the API has no field for it`);
  return given({
    tool_choice: choiceOf(request, chosen, losses, warn),
    parallel_tool_calls: tools.length > 0 ? settings.parallel_tool_calls : undefined,
    response_format: output_format && formatOf(output_format),
    max_completion_tokens: settings.max_output_tokens ?? max_tokens,
    temperature: settings.temperature,
    top_p: settings.top_p,
    stop: stop.length > 0 ? stop.slice(0, mostStops) : undefined,
    reasoning_effort: effortOf(settings, losses, warn),
    ...cacheFields(request),
  });
}

/** @see CHAT-31 */
function chosen(name: string): Fields {
  return { type: "function", function: { name: legalToolName(name, () => undefined) } };
}

/** @see CHAT-32 CHAT-33 */
function formatOf({ name, schema }: OutputFormat): Fields {
  return { type: "json_schema", json_schema: { name, schema, strict: isStrictSchema(schema) } };
}
