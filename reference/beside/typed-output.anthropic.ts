// An answer with a form; the tool runner parses it not, and its text is put together and validated by hand.

import type Anthropic from "@anthropic-ai/sdk";
import { betaZodOutputFormat } from "@anthropic-ai/sdk/helpers/beta/zod";
import { z } from "zod";

export async function colorOf(client: Anthropic, model: string, content: string): Promise<string> {
  const format = betaZodOutputFormat(z.object({ hex: z.string() }));
  const last = await client.beta.messages.toolRunner({
    ...{ model, max_tokens: 1024, tools: [], output_config: { format } },
    messages: [{ role: "user", content }],
  });
  return format.parse(last.content.map((block) => (block.type === "text" ? block.text : "")).join("")).hex;
}
