// No more than half a dollar: the prices and the sum are one's own.

import { generateText, type LanguageModel } from "ai";

const prices = { input: 3 / 1e6, output: 15 / 1e6 };

export const cheap = (model: LanguageModel, prompt: string) =>
  generateText({
    ...{ model, prompt },
    stopWhen: ({ steps }) =>
      steps.reduce(
        (sum, { usage: { inputTokens = 0, outputTokens = 0 } }) =>
          sum + inputTokens * prices.input + outputTokens * prices.output,
        0,
      ) >= 0.5,
  });
