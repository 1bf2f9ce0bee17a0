// The settings of an agent, as sent to each provider, and a warning for a setting that a provider lacks.

import { renderRequest as anthropicMessages } from "../providers/anthropic-messages/request.ts";
import { renderRequest as openaiChat } from "../providers/openai-chat/request.ts";
import { renderRequest as openaiResponses } from "../providers/openai-responses/request.ts";
import type { AgentWithTools, Message } from "../index.ts";

const writer: AgentWithTools = {
  name: "writer",
  model: "some-model",
  settings: { max_output_tokens: 500, temperature: 0.2, effort: "high", stop_sequences: ["THE END"] },
};
// What the loop sends to an adapter for this agent.
const messages: Message[] = [{ role: "user", content: "Write a story." }];
const request = { messages, tools: [], model: writer.model!, settings: writer.settings! };

for (const render of [anthropicMessages, openaiChat, openaiResponses]) {
  const { body, warnings } = render(request, { model: "some-model", transport: "json" });
  const { messages: _, input: _1, model: _2, ...sent } = body as Record<string, unknown>;
  console.log(JSON.stringify(sent));
  for (const { code, message } of warnings) console.log(`  ${code}: ${message}`);
}
