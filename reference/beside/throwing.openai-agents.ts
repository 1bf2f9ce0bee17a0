// The text of a run, or an exception: a limit as well.

import { Agent, run } from "@openai/agents";

export async function ask(model: string, input: string): Promise<string> {
  return (await run(new Agent({ name: "one", model }), input)).finalOutput!;
}
