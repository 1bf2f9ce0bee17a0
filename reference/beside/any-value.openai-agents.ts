// A tool that returns what it has.

import { tool } from "@openai/agents";
import { z } from "zod";

export const weather = tool({
  name: "weather",
  description: "The weather.",
  parameters: z.object({}),
  execute: () => ({ degrees: 18, seen: new Date() }),
});
