// The driver of LangGraph for JavaScript: createReactAgent with a checkpointer that keeps the thread.

import { ChatAnthropic } from "@langchain/anthropic";
import { tool } from "@langchain/core/tools";
import { GraphRecursionError, MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { contentOf, endingOf, lastMessage, modelOf } from "../shared/langchain.mjs";
import { servePeer } from "../shared/peer.ts";

const seams = ["anthropic-messages", "openai-chat", "openai-responses"];

// A recursionLimit counts the steps of the graph, not how often the model is asked: the verb limit is not offered.
servePeer({ name: "langgraph-js", version: "1.7.3", seams, verbs: ["after", "cancel"] }, (given) => {
  const { tools, instructions, model, execute } = given;
  const agent = createReactAgent({
    llm: modelOf({ ChatAnthropic, ChatOpenAI }, model),
    ...(instructions && { prompt: instructions }),
    tools: tools.map(({ name, description, input_schema: schema }) => {
      const run = async (input, { signal }) => contentOf(await execute(name, input, signal));
      return tool(run, { name, description, schema });
    }),
    checkpointSaver: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "thread" }, recursionLimit: 1000 };
  return async (input, signal) => {
    try {
      return endingOf(await lastMessage(agent, model.transport, input, { ...thread, signal }));
    } catch (error) {
      if (error instanceof GraphRecursionError) return { ended: "limit" };
      throw error;
    }
  };
});
