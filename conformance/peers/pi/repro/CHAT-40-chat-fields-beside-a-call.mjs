// Not kept: What comes beside a streamed call, with its first piece or in one of its own, goes back beside it.
// Shows: CHAT-40
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-chat",
  stream: true,
  tools: {
    look: {
      outputs: ["safaxama", "safaxama", "safaxama"],
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
      text: 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"look","arguments":""},"extra_content":{"google":{"thought_signature":"wisagevu"}}}]},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"look","arguments":"{}"}}]},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"extra_content":{"google":{"thought_signature":"vubenelu"}}}]},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"tool_calls":[{"index":2,"id":"call_c","type":"function","function":{"name":"look","arguments":"{}"}}]},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
    },
    {
      status: 200,
      type: "text/event-stream; charset=utf-8",
      text: 'data: {"id":"chatcmpl-r286-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r286-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"Se"},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r286-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"en"},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r286-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"."},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r286-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}\n\ndata: {"id":"chatcmpl-r286-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[],"usage":{"prompt_tokens":118,"completion_tokens":16,"total_tokens":134}}\n\ndata: [DONE]\n\n',
    },
  ],
  requests: 2,
  calls: [
    ["look", {}],
    ["look", {}],
    ["look", {}],
  ],
  fails: false,
  has: ["wisagevu", "vubenelu"],
};
await play(agentOf, crafted(scene));
