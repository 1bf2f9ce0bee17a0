// A tool whose input is typed and validated by valibot.

import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { defineTool } from "../index.ts";

export const weather = defineTool({
  name: "weather",
  input_schema: toStandardJsonSchema(v.object({ city: v.string() })),
  execute: ({ city }) => `18 °C in ${city.trim()}`,
});
