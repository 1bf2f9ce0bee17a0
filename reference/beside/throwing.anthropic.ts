// The last message of a run, or an exception; the text is put together by hand, and a limit is none.

import type Anthropic from "@anthropic-ai/sdk";

export async function ask(client: Anthropic, model: string, content: string): Promise<string> {
  const messages = [{ role: "user" as const, content }];
  const last = await client.beta.messages.toolRunner({ model, max_tokens: 1024, tools: [], messages });
  return last.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
