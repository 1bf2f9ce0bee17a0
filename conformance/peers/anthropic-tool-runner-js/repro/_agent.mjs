// The tool runner of Anthropic's SDK, as its documentation says; the next message goes on with what the runner has.
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";

export function agentOf({ stream, url, tools, limit = 5 }) {
  const client = new Anthropic({ baseURL: url, apiKey: "key", maxRetries: 0 });
  const runnable = tools.map(({ name, description, schema, run }) =>
    betaTool({ name, description, inputSchema: schema, run }),
  );
  const settings = { model: "claude-sonnet-4-5", max_tokens: 1000, max_iterations: limit, thread: false };
  let messages = [];
  return async (input, signal) => {
    const given = { ...settings, tools: runnable, stream, messages: [...messages, { role: "user", content: input }] };
    const runner = client.beta.messages.toolRunner(given, { signal });
    let last;
    try {
      for await (const message of runner) last = stream ? await message.finalMessage() : message;
    } finally {
      messages = runner.params.messages;
    }
    const { content = [], stop_reason: stop } = last;
    return { text: content.map(({ text = "" }) => text).join(""), stop };
  };
}
