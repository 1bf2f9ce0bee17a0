// An agent of Mastra, as its documentation says, with Memory.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { Memory } from "@mastra/memory";

globalThis.AI_SDK_LOG_WARNINGS = false;

export function agentOf({ api, stream, url, tools, limit = 5 }) {
  const openai = createOpenAI({ baseURL: url, apiKey: "key" });
  const model =
    api === "anthropic-messages"
      ? createAnthropic({ baseURL: `${url}/v1`, apiKey: "key" })("claude-sonnet-4-5")
      : api === "openai-chat"
        ? openai.chat("gpt-4.1")
        : openai.responses("gpt-5");
  const agent = new Agent({
    id: "agent",
    name: "agent",
    instructions: "",
    model,
    tools: Object.fromEntries(
      tools.map(({ name, description, schema, run }) => [
        name,
        createTool({ id: name, description, inputSchema: schema, execute: run }),
      ]),
    ),
    memory: new Memory({ storage: new InMemoryStore() }),
    maxRetries: 0,
  });
  const options = {
    maxSteps: limit,
    modelSettings: { maxRetries: 0 },
    providerOptions: { openai: { store: false, include: ["reasoning.encrypted_content"] } },
    memory: { thread: "thread", resource: "user" },
  };
  return async (input, abortSignal) => {
    const output = await agent[stream ? "stream" : "generate"](input, { ...options, abortSignal });
    if (stream) await output.consumeStream();
    if (output.error) throw output.error;
    return { text: await output.text, stop: await output.finishReason };
  };
}
