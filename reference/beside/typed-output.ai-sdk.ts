// An answer with a form, typed; one that does not have it throws.

import { generateText, Output, type LanguageModel } from "ai";
import { z } from "zod";

export async function colorOf(model: LanguageModel, prompt: string): Promise<string> {
  const output = Output.object({ schema: z.object({ hex: z.string() }) });
  return (await generateText({ model, prompt, output })).output.hex;
}
