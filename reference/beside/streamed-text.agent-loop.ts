// The text as it comes.

import { agentLoop, type Provider } from "../index.ts";

export async function show(provider: Provider, input: string): Promise<void> {
  for await (const piece of agentLoop({ provider, input }).textStream) process.stdout.write(piece);
}
