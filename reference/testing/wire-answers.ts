// One streamed response of each of three providers, in chunks: some text, then a call with its arguments in two deltas.

import type { ProviderName } from "../../conformance/kit/wire/codec.ts";

const sse = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const usage = { input_tokens: 5, output_tokens: 1 };
const started = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage };
const json = (partial_json: string) => ({ index: 1, delta: { type: "input_json_delta", partial_json } });
const item = { id: "fc_1", type: "function_call", call_id: "call_1", name: "look" };
const message = { id: "msg_1", type: "message", role: "assistant" };
const textPart = { type: "output_text", text: "Let me look.", annotations: [] };
const answer = { id: "resp_1", object: "response", model: "m" };

/** The writes of a server, in order. The third and later ones follow the first or second delta of the arguments. */
export const firstTurn = {
  "anthropic-messages": [
    sse("message_start", { message: started }) +
      sse("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
      sse("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Let me look." } }),
    sse("content_block_stop", { index: 0 }) +
      sse("content_block_start", {
        index: 1,
        content_block: { type: "tool_use", id: "toolu_1", name: "look", input: {} },
      }) +
      sse("content_block_delta", json('{"city": ')),
    sse("content_block_delta", json('"Ürümqi"}')) + sse("content_block_stop", { index: 1 }),
    sse("message_delta", { delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 9 } }) +
      sse("message_stop", {}),
  ],
  "openai-chat": [
    chunk({ role: "assistant", content: "Let me look." }),
    chunk({
      tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "look", arguments: '{"city": ' } }],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"Ürümqi"}' } }] }),
    `${chunk({}, "tool_calls")}data: [DONE]\n\n`,
  ],
  "openai-responses": [
    sse("response.created", { response: { ...answer, status: "in_progress", output: [] } }) +
      sse("response.output_item.added", { output_index: 0, item: { ...message, status: "in_progress", content: [] } }) +
      sse("response.content_part.added", {
        output_index: 0,
        item_id: "msg_1",
        content_index: 0,
        part: { ...textPart, text: "" },
      }) +
      sse("response.output_text.delta", { output_index: 0, item_id: "msg_1", content_index: 0, delta: "Let me look." }),
    sse("response.output_item.done", {
      output_index: 0,
      item: { ...message, status: "completed", content: [textPart] },
    }) +
      sse("response.output_item.added", { output_index: 1, item: { ...item, status: "in_progress", arguments: "" } }) +
      sse("response.function_call_arguments.delta", { output_index: 1, item_id: "fc_1", delta: '{"city": ' }),
    sse("response.function_call_arguments.delta", { output_index: 1, item_id: "fc_1", delta: '"Ürümqi"}' }) +
      sse("response.output_item.done", {
        output_index: 1,
        item: { ...item, status: "completed", arguments: '{"city": "Ürümqi"}' },
      }),
    sse("response.completed", {
      response: {
        ...answer,
        status: "completed",
        output: [
          { ...message, status: "completed", content: [textPart] },
          { ...item, status: "completed", arguments: '{"city": "Ürümqi"}' },
        ],
        usage: { ...usage, total_tokens: 6 },
      },
    }),
  ],
} satisfies Partial<Record<ProviderName, readonly string[]>>;
