// Ends after the turn in which a tool was called: what it returned is asked for, and nothing is sent after it.

import type Anthropic from "@anthropic-ai/sdk";
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";

export const untilSent = async (client: Anthropic, model: string, tools: BetaRunnableTool[], content: string) => {
  const runner = client.beta.messages.toolRunner({
    ...{ model, tools, max_tokens: 1024 },
    messages: [{ role: "user", content }],
  });
  for await (const message of runner)
    if (message.content.some((block) => block.type === "tool_use" && block.name === "send"))
      return await runner.generateToolResponse();
};
