// An agent of LangGraph, as its documentation says, with a checkpointer.
import { ChatAnthropic } from "@langchain/anthropic";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";

export function agentOf({ api, stream, url, tools, limit = 5 }) {
  const configuration = { baseURL: url };
  const model =
    api === "anthropic-messages"
      ? new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "key", anthropicApiUrl: url, maxRetries: 0 })
      : api === "openai-chat"
        ? new ChatOpenAI({ model: "gpt-4.1", apiKey: "key", configuration, maxRetries: 0 })
        : new ChatOpenAI({
            model: "gpt-5",
            apiKey: "key",
            configuration,
            maxRetries: 0,
            useResponsesApi: true,
            zdrEnabled: true,
          });
  const agent = createReactAgent({
    llm: model,
    tools: tools.map(({ run, ...rest }) => tool((input) => run(input), rest)),
    checkpointSaver: new MemorySaver(),
  });
  return async (input, signal) => {
    const given = { messages: [{ role: "user", content: input }] };
    const config = { configurable: { thread_id: "thread" }, recursionLimit: 2 * limit + 1, signal };
    let state;
    if (!stream) state = await agent.invoke(given, config);
    else
      for await (const [mode, chunk] of await agent.stream(given, { ...config, streamMode: ["values", "messages"] }))
        if (mode === "values") state = chunk;
    const { text, response_metadata: meta, additional_kwargs: more } = state.messages.at(-1);
    const reason = meta.stop_reason ?? more.stop_reason ?? meta.finish_reason ?? meta.incomplete_details?.reason;
    return { text, stop: more.refusal ? "refusal" : (reason ?? "a last message") };
  };
}
