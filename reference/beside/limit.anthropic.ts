// At most five turns; that the limit was reached is to be seen from the stop reason.

import type Anthropic from "@anthropic-ai/sdk";
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";

export const limited = (client: Anthropic, model: string, tools: BetaRunnableTool[], content: string) =>
  client.beta.messages.toolRunner({
    ...{ model, tools, max_tokens: 1024, max_iterations: 5 },
    messages: [{ role: "user", content }],
  });
