// A tool whose input is not typed by its JSON Schema, and has to be read by hand.

import { tool } from "@openai/agents";

export const weather = tool({
  name: "weather",
  description: "The weather in a city.",
  strict: true,
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  execute: (input) => `18 °C in ${(input as { city: string }).city.trim()}`,
});
