// A run that reached the limit of modelCallLimitMiddleware ends the thread: each further message fails at once with the same error.
// Shows: SESSION-26
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, modelCallLimitMiddleware, tool } from "langchain";
import { play } from "../../shared/repro.mjs";
import { nextAfterLimit } from "../../shared/scenes.mjs";

function agentOf({ url, tools, limit }) {
  const agent = createAgent({
    model: new ChatOpenAI({ model: "gpt-4.1", apiKey: "key", configuration: { baseURL: url }, maxRetries: 0 }),
    tools: tools.map(({ name, schema, run }) => tool((input) => run(input), { name, description: name, schema })),
    middleware: [modelCallLimitMiddleware({ runLimit: limit, exitBehavior: "error" })],
    checkpointer: new MemorySaver(),
  });
  return async (input, signal) => {
    const given = { messages: [{ role: "user", content: input }] };
    const { messages } = await agent.invoke(given, { configurable: { thread_id: "thread" }, signal });
    return { text: messages.at(-1).text, stop: "a last message" };
  };
}

await play(agentOf, nextAfterLimit({ api: "openai-chat" }));
