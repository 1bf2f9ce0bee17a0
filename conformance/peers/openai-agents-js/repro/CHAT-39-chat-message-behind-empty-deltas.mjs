// Not kept: A whole message is read behind deltas that say nothing.
// Shows: CHAT-39
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-chat",
  stream: true,
  tools: {},
  answers: [
    {
      status: 200,
      type: "text/event-stream",
      text: 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"message":{"role":"assistant","content":"gefasage"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    },
  ],
  requests: 1,
  calls: [],
  fails: false,
};
await play(agentOf, crafted(scene));
