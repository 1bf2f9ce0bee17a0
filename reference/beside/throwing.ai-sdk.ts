// The text of a run, or an exception; the limit of steps is none, and the text is then empty.

import { generateText, type LanguageModel } from "ai";

export async function ask(model: LanguageModel, prompt: string): Promise<string> {
  return (await generateText({ model, prompt })).text;
}
