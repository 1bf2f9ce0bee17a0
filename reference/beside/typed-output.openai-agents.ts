// An answer with a form, typed; one that does not have it throws.

import { Agent, run } from "@openai/agents";
import { z } from "zod";

export async function colorOf(model: string, input: string): Promise<string> {
  const agent = new Agent({ name: "painter", model, outputType: z.object({ hex: z.string() }) });
  return (await run(agent, input)).finalOutput!.hex;
}
