// The traffic of the Responses API beside what its items mean: paths, and the events of its streams.

import type { ProviderTraffic } from "../codec.ts";
import { dialects } from "./dialects.ts";
import { commonTraffic } from "../openai/traffic.ts";

export const traffic: ProviderTraffic = {
  ...commonTraffic,
  // https://platform.openai.com/docs/api-reference/responses
  routes: [/(^|\/)responses$/],
  dialects,
  ending: /"type":"response\.(completed|incomplete|failed)"/,
  shortEvent: "named",
  callsIn: ({ type, output_index }) => (type === "response.function_call_arguments.delta" ? [output_index] : []),
  isBody: (fields) => "input" in fields,
  chapter: "RESPONSES",
  occasions: { 4: "sealed_thinking", 6: "sealed_thinking", 7: "result", 9: "call", 14: "declared_tools" },
  endingsHead: "`status` or `reason`",
};
