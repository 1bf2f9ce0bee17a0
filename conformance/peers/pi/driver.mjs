// The driver of pi: Agent of pi-agent-core with the models of pi-ai. It always streams.

import { Agent } from "@earendil-works/pi-agent-core";
import { createModels, createProvider } from "@earendil-works/pi-ai";
import { openAICompletionsApi } from "@earendil-works/pi-ai/api/openai-completions.lazy";
import { openAIResponsesApi } from "@earendil-works/pi-ai/api/openai-responses.lazy";
import { anthropicProvider } from "@earendil-works/pi-ai/providers/anthropic";
import { openaiProvider } from "@earendil-works/pi-ai/providers/openai";
import { servePeer } from "../shared/peer.ts";

const endings = { stop: "completed", toolUse: "limit", length: "cut_off", aborted: "cancelled" };
const seams = ["anthropic-messages", "openai-chat", "openai-responses"];
const names = { "openai-chat": "openai-completions" };
const openai = openaiProvider();
const api = { "openai-completions": openAICompletionsApi(), "openai-responses": openAIResponsesApi() };
const models = createModels();
models.setProvider(createProvider({ id: "openai", auth: openai.auth, models: openai.getModels(), api }));
models.setProvider(anthropicProvider());

function contentOf(output) {
  if (typeof output === "string") return [{ type: "text", text: output }];
  return output.map(({ type, text = "(a document)", media_type: mimeType, data }) =>
    type === "image" && data ? { type, data, mimeType } : { type: "text", text },
  );
}

servePeer(
  { name: "pi", version: "0.87.1", seams, transports: ["sse"] },
  ({ tools, instructions = "", limit, model: { seam, model: id, base_url, api_key }, execute }) => {
    const provider = seam === "anthropic-messages" ? "anthropic" : "openai";
    let turns = 0;
    const agent = new Agent({
      initialState: {
        systemPrompt: instructions,
        thinkingLevel: seam === "openai-responses" ? "low" : "off", // there "off" asks for reasoning that cannot go back
        model: { ...models.getModel(provider, id), api: names[seam] ?? seam, baseUrl: base_url },
        tools: tools.map(({ name, description, input_schema: parameters }) => ({
          ...{ name, label: name, description, parameters },
          execute: async (_id, input, signal) => {
            const output = await execute(name, input, signal);
            return { content: contentOf(output), details: {} };
          },
        })),
      },
      streamFn: (model, context, options) => models.streamSimple(model, context, { ...options, maxRetries: 0 }),
      getApiKey: () => api_key,
      finishTurn: () => (++turns >= limit ? { action: "end" } : undefined),
    });
    return async (input, signal) => {
      turns = 0;
      signal.addEventListener("abort", () => agent.abort());
      await agent.prompt(input);
      const last = agent.state.messages.findLast(({ role }) => role === "assistant");
      const { stopReason, content, errorMessage: error } = last;
      const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      return { ended: endings[stopReason] ?? "error", text, ...(error && { error }) };
    };
  },
);
