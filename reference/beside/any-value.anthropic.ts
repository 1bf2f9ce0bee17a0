// A tool that writes JSON itself: only text and content blocks may be returned.

import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";

export const weather = betaTool({
  name: "weather",
  description: "The weather.",
  inputSchema: { type: "object" },
  run: () => JSON.stringify({ degrees: 18, seen: new Date() }),
});
