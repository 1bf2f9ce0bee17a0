// An agent of pi, as its documentation says; it always streams.
import { Agent } from "@earendil-works/pi-agent-core";
import { createModels, createProvider } from "@earendil-works/pi-ai";
import { openAICompletionsApi } from "@earendil-works/pi-ai/api/openai-completions.lazy";
import { openAIResponsesApi } from "@earendil-works/pi-ai/api/openai-responses.lazy";
import { anthropicProvider } from "@earendil-works/pi-ai/providers/anthropic";
import { openaiProvider } from "@earendil-works/pi-ai/providers/openai";

const models = createModels();
const openai = openaiProvider();
const api = { "openai-completions": openAICompletionsApi(), "openai-responses": openAIResponsesApi() };
models.setProvider(createProvider({ id: "openai", auth: openai.auth, models: openai.getModels(), api }));
models.setProvider(anthropicProvider());
const all = {
  "anthropic-messages": models.getModel("anthropic", "claude-sonnet-4-5"),
  "openai-chat": { ...models.getModel("openai", "gpt-4.1"), api: "openai-completions" },
  "openai-responses": models.getModel("openai", "gpt-5"),
};

export function agentOf({ api: name, url, tools, limit = 5 }) {
  let turns = 0;
  const agent = new Agent({
    initialState: {
      systemPrompt: "",
      thinkingLevel: name === "openai-responses" ? "low" : "off",
      model: { ...all[name], baseUrl: url },
      tools: tools.map(({ name: label, description, schema: parameters, run }) => ({
        ...{ name: label, label, description, parameters },
        execute: async (_id, input) => ({ content: [{ type: "text", text: await run(input) }], details: {} }),
      })),
    },
    streamFn: (model, context, options) => models.streamSimple(model, context, { ...options, maxRetries: 0 }),
    getApiKey: () => "key",
    finishTurn: () => (++turns >= limit ? { action: "end" } : undefined),
  });
  return async (input, signal) => {
    turns = 0;
    signal.addEventListener("abort", () => agent.abort());
    await agent.prompt(input);
    const { stopReason, content, errorMessage } = agent.state.messages.findLast(({ role }) => role === "assistant");
    if (errorMessage) throw new Error(errorMessage);
    return { text: content.map(({ text = "" }) => text).join(""), stop: stopReason };
  };
}
