// A tool whose input is typed, validated and completed by zod; the description is demanded.

import { tool } from "@openai/agents";
import { z } from "zod";

export const weather = tool({
  name: "weather",
  description: "The weather in a city.",
  parameters: z.object({ city: z.string(), days: z.number().default(1) }),
  execute: ({ city, days }) => `18 °C in ${city.trim()}, for ${days.toFixed()} days`,
});
