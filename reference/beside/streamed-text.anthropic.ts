// The text as it comes: a stream for each turn.

import type Anthropic from "@anthropic-ai/sdk";

export async function show(client: Anthropic, model: string, content: string): Promise<void> {
  const messages = [{ role: "user" as const, content }];
  const runner = client.beta.messages.toolRunner({ model, max_tokens: 1024, tools: [], messages, stream: true });
  for await (const turn of runner) {
    turn.on("text", (piece) => void process.stdout.write(piece));
    await turn.done();
  }
}
