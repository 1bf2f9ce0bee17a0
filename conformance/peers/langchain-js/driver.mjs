// The driver of LangChain for JavaScript: createAgent with a checkpointer that keeps the thread.

import { ChatAnthropic } from "@langchain/anthropic";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, modelCallLimitMiddleware, tool } from "langchain";
import { contentOf, endingOf, lastMessage, modelOf } from "../shared/langchain.mjs";
import { servePeer } from "../shared/peer.ts";

servePeer(
  { name: "langchain-js", version: "1.5.14", seams: ["anthropic-messages", "openai-chat", "openai-responses"] },
  ({ tools, instructions, limit, model, execute }) => {
    const agent = createAgent({
      model: modelOf({ ChatAnthropic, ChatOpenAI }, model),
      ...(instructions && { systemPrompt: instructions }),
      tools: tools.map(({ name, description, input_schema: schema }) => {
        const run = async (input, { signal }) => contentOf(await execute(name, input, signal));
        return tool(run, { name, description, schema });
      }),
      middleware: [modelCallLimitMiddleware({ runLimit: limit, exitBehavior: "error" })],
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: "thread" }, recursionLimit: 1000 };
    return async (input, signal) => {
      try {
        return endingOf(await lastMessage(agent, model.transport, input, { ...thread, signal }));
      } catch (error) {
        if (/call limits? exceeded/i.test(error.message)) return { ended: "limit" };
        throw error;
      }
    };
  },
);
