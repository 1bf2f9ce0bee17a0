// An agent of the AI SDK, as its documentation says: the caller keeps the messages.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";

globalThis.AI_SDK_LOG_WARNINGS = false;

export function agentOf({ api, stream, url, tools, limit = 5 }) {
  const openai = createOpenAI({ baseURL: url, apiKey: "key" });
  const model =
    api === "anthropic-messages"
      ? createAnthropic({ baseURL: `${url}/v1`, apiKey: "key" })("claude-sonnet-4-5")
      : api === "openai-chat"
        ? openai.chat("gpt-4.1")
        : openai.responses("gpt-5");
  const messages = [];
  const settings = {
    model,
    tools: Object.fromEntries(
      tools.map(({ name, description, schema, run }) => [
        name,
        tool({ description, inputSchema: jsonSchema(schema), execute: (input) => run(input) }),
      ]),
    ),
    stopWhen: stepCountIs(limit),
    maxRetries: 0,
    providerOptions: { openai: { store: false, include: ["reasoning.encrypted_content"] } },
    onStepFinish: ({ response }) => messages.push(...response.messages),
  };
  return async (input, abortSignal) => {
    messages.push({ role: "user", content: input });
    const given = { ...settings, messages: [...messages], abortSignal };
    if (!stream) {
      const { text, finishReason } = await generateText(given);
      return { text, stop: finishReason };
    }
    let failure;
    const result = streamText({ ...given, onError: ({ error }) => (failure ??= error) });
    await result.consumeStream();
    if (failure) throw failure;
    return { text: await result.text, stop: await result.finishReason };
  };
}
