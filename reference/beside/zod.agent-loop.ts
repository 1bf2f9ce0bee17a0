// A tool whose input is typed, validated and completed by zod.

import { z } from "zod";
import { defineTool } from "../index.ts";

export const weather = defineTool({
  name: "weather",
  input_schema: z.object({ city: z.string(), days: z.number().default(1) }),
  execute: ({ city, days }) => `18 °C in ${city.trim()}, for ${days.toFixed()} days`,
});
