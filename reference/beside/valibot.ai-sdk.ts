// A tool whose input is typed and validated by valibot.

import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { tool } from "ai";
import * as v from "valibot";

export const weather = tool({
  inputSchema: toStandardJsonSchema(v.object({ city: v.string() })),
  execute: ({ city }) => `18 °C in ${city.trim()}`,
});
