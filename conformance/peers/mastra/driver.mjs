// The driver of Mastra: Agent.generate where the answer comes as JSON, Agent.stream where it is streamed, and its Memory.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { Memory } from "@mastra/memory";
import { contentOf, endingOf, modelOf, stateless } from "../shared/ai-sdk.mjs";
import { servePeer } from "../shared/peer.ts";

globalThis.AI_SDK_LOG_WARNINGS = false;

/** What comes here as an object is no output of the tool, but Mastra's own word on the call. */
function toModelOutput(output) {
  return typeof output === "string" || Array.isArray(output) ? contentOf(output) : { type: "json", value: output };
}

servePeer(
  { name: "mastra", version: "1.71.0", seams: ["anthropic-messages", "openai-chat", "openai-responses"] },
  ({ tools, instructions = "", limit, model, execute }) => {
    const createdTools = tools.map(({ name, description, input_schema: inputSchema }) => {
      const run = (input, context) => execute(name, input, context?.abortSignal);
      return [name, createTool({ id: name, description, inputSchema, execute: run, toModelOutput })];
    });
    const agent = new Agent({
      id: "agent",
      name: "agent",
      instructions,
      model: modelOf({ createAnthropic, createOpenAI }, model),
      tools: Object.fromEntries(createdTools),
      memory: new Memory({ storage: new InMemoryStore(), options: { lastMessages: 1000 } }),
      maxRetries: 0,
    });
    const options = {
      maxSteps: limit,
      modelSettings: { maxRetries: 0 },
      providerOptions: stateless,
      memory: { thread: "thread", resource: "user" },
    };
    return async (input, abortSignal) => {
      const ask = model.transport === "sse" ? "stream" : "generate";
      const output = await agent[ask](input, { ...options, abortSignal });
      if (ask === "stream") await output.consumeStream();
      if (output.error) throw output.error;
      const [finishReason, text] = [await output.finishReason, await output.text];
      return { ended: endingOf(finishReason), text };
    };
  },
);
