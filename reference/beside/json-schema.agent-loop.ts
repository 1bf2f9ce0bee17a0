// A tool whose input is typed by a JSON Schema, which stands there once.

import { defineTool } from "../index.ts";

export const weather = defineTool({
  name: "weather",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: ({ city }) => `18 °C in ${city.trim()}`,
});
