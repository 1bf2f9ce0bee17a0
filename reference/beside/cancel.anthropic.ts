// Cancelled from outside; that is an exception.

import type Anthropic from "@anthropic-ai/sdk";
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";

export const cancellable = (client: Anthropic, model: string, tools: BetaRunnableTool[], signal: AbortSignal) =>
  client.beta.messages.toolRunner(
    { model, tools, max_tokens: 1024, messages: [{ role: "user", content: "Go on." }] },
    { signal },
  );
