// An answer with a form, typed and corrected.

import { z } from "zod";
import { agentLoop, outputFormat, type Provider } from "../index.ts";

export async function colorOf(provider: Provider, input: string): Promise<string> {
  const output_format = outputFormat({ name: "color", schema: z.object({ hex: z.string() }) });
  const { output } = await agentLoop({ provider, input, options: { output_format } }).orThrow();
  return output!.hex;
}
