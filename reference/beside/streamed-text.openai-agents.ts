// The text as it comes.

import { Agent, run } from "@openai/agents";

export async function show(model: string, input: string): Promise<void> {
  const streamed = await run(new Agent({ name: "one", model }), input, { stream: true });
  for await (const piece of streamed.toTextStream()) process.stdout.write(piece);
}
