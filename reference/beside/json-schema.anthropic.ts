// A tool whose input is typed by a JSON Schema; the description is demanded.

import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";

export const weather = betaTool({
  name: "weather",
  description: "The weather in a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: ({ city }) => `18 °C in ${city.trim()}`,
});
