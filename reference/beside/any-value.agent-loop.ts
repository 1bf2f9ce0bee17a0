// A tool that returns what it has.

import { defineTool } from "../index.ts";

export const weather = defineTool({
  name: "weather",
  input_schema: { type: "object" },
  execute: () => ({ degrees: 18, seen: new Date() }),
});
