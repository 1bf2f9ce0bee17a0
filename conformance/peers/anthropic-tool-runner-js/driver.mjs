// The driver of the tool runner in Anthropic's SDK: client.beta.messages.toolRunner.

import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { servePeer } from "../shared/peer.ts";

const endings = {
  end_turn: "completed",
  stop_sequence: "completed",
  max_tokens: "cut_off",
  model_context_window_exceeded: "cut_off",
  refusal: "refused",
  tool_use: "limit",
};

/** A part of what a tool says, as a block. */
function blockOf({ type, text, media_type, data, url }) {
  if (type === "text") return { type, text };
  return { type, source: data ? { type: "base64", media_type, data } : { type: "url", url } };
}

servePeer(
  { name: "anthropic-tool-runner-js", version: "1.12.0", seams: ["anthropic-messages"] },
  ({ tools, instructions, limit, model, execute }) => {
    const client = new Anthropic({ baseURL: model.base_url, apiKey: model.api_key, maxRetries: 0 });
    const stream = model.transport === "sse";
    const settings = {
      model: model.model,
      max_tokens: 4096,
      ...(instructions && { system: instructions }),
      tools: tools.map(({ name, description, input_schema: inputSchema }) => {
        const run = async (input, context) => {
          const output = await execute(name, input, context?.signal);
          return typeof output === "string" ? output : output.map(blockOf);
        };
        return betaTool({ name, description, inputSchema, run });
      }),
      max_iterations: limit,
      thread: false, // the caller keeps the conversation, and no server does
      stream,
    };
    let messages = [];
    return async (input, signal) => {
      messages = [...messages, { role: "user", content: input }];
      const runner = client.beta.messages.toolRunner({ ...settings, messages }, { signal });
      let last;
      try {
        for await (const message of runner) last = stream ? await message.finalMessage() : message;
      } finally {
        messages = runner.params.messages;
      }
      const { content = [], stop_reason: reason } = last; // what the runner gives as a message need not be one
      const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      return { ended: reason ? (endings[reason] ?? "error") : "completed", text };
    };
  },
);
