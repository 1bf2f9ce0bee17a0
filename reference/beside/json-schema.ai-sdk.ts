// A tool whose input is typed by hand beside its JSON Schema. Nothing is validated, unless `validate` does it.

import { jsonSchema, tool } from "ai";

export const weather = tool({
  inputSchema: jsonSchema<{ city: string }>({
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  }),
  execute: ({ city }) => `18 °C in ${city.trim()}`,
});
