// Not kept: The same index with another id and a name is another call.
// Shows: CHAT-11
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-chat",
  stream: true,
  tools: {
    look: {
      outputs: ["ludomabe", "ludomabe"],
      schema: {
        type: "object",
        properties: {},
      },
    },
  },
  answers: [
    {
      status: 200,
      type: "text/event-stream",
      text: 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"look","arguments":"{\\"at\\":\\"sabahici\\"}"}}]},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_b","type":"function","function":{"name":"look","arguments":"{\\"at\\":\\"bahiroci\\"}"}}]},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
    },
    {
      status: 200,
      type: "text/event-stream; charset=utf-8",
      text: 'data: {"id":"chatcmpl-r315-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r315-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"Se"},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r315-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"en"},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r315-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"."},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r315-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}\n\ndata: {"id":"chatcmpl-r315-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[],"usage":{"prompt_tokens":118,"completion_tokens":16,"total_tokens":134}}\n\ndata: [DONE]\n\n',
    },
  ],
  requests: 2,
  calls: [
    [
      "look",
      {
        at: "sabahici",
      },
    ],
    [
      "look",
      {
        at: "bahiroci",
      },
    ],
  ],
  fails: false,
};
await play(agentOf, crafted(scene));
