// A tool whose input is typed, validated and completed by zod.

import { tool } from "ai";
import { z } from "zod";

export const weather = tool({
  inputSchema: z.object({ city: z.string(), days: z.number().default(1) }),
  execute: ({ city, days }) => `18 °C in ${city.trim()}, for ${days.toFixed()} days`,
});
