// A tool whose input is typed, validated and completed by zod; the description is demanded.

import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { z } from "zod";

export const weather = betaZodTool({
  name: "weather",
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string(), days: z.number().default(1) }),
  run: ({ city, days }) => `18 °C in ${city.trim()}, for ${days.toFixed()} days`,
});
