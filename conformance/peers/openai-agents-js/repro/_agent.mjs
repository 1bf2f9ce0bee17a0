// An agent of the OpenAI Agents SDK, as its documentation says, with a session.
import { Agent, MemorySession, OpenAIProvider, Runner, tool } from "@openai/agents";
import OpenAI from "openai";

export function agentOf({ api, stream, url, tools, limit = 5 }) {
  const useResponses = api === "openai-responses";
  const openAIClient = new OpenAI({ baseURL: url, apiKey: "key", maxRetries: 0 });
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ openAIClient, useResponses }),
    tracingDisabled: true,
  });
  const session = new MemorySession();
  const agent = new Agent({
    name: "agent",
    model: useResponses ? "gpt-5" : "gpt-4.1",
    tools: tools.map(({ name, description, schema, run }) => {
      const parameters = { additionalProperties: true, ...schema };
      return tool({ name, description, strict: false, parameters, execute: (input) => run(input) });
    }),
  });
  return async (input, signal) => {
    const result = await runner.run(agent, input, { session, maxTurns: limit, signal, stream });
    if (stream) await result.completed;
    if (result.error) throw result.error;
    return { text: result.finalOutput, stop: "a final output" };
  };
}
