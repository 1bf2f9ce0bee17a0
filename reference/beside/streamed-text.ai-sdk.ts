// The text as it comes. An error is not thrown, but given to onError.

import { streamText, type LanguageModel } from "ai";

export async function show(model: LanguageModel, prompt: string): Promise<void> {
  for await (const piece of streamText({ model, prompt }).textStream) process.stdout.write(piece);
}
