// Not kept: Calls that came without an id get one, which their results carry.
// Shows: SESSION-10
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-chat",
  stream: true,
  tools: {
    count: {
      outputs: ["dodogete", "hiteyoxa"],
      schema: {
        type: "object",
        properties: {},
      },
    },
  },
  answers: [
    {
      status: 200,
      type: "text/event-stream; charset=utf-8",
      text: 'data: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"role":"assistant","content":null,"refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"type":"function","function":{"name":"count","arguments":""}}]},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"st"}}]},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"ep\\":"}}]},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"type":"function","function":{"name":"count","arguments":""}}]},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\\"st"}}]},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"ep\\":"}}]},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"2}"}}]},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"tool_calls"}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-1","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[],"usage":{"prompt_tokens":101,"completion_tokens":11,"total_tokens":112}}\n\ndata: [DONE]\n\n',
    },
    {
      status: 200,
      type: "text/event-stream; charset=utf-8",
      text: 'data: {"id":"chatcmpl-r228-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"Do"},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"ne"},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{"content":"."},"logprobs":null,"finish_reason":null}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}\n\ndata: {"id":"chatcmpl-r228-2","object":"chat.completion.chunk","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[],"usage":{"prompt_tokens":118,"completion_tokens":16,"total_tokens":134}}\n\ndata: [DONE]\n\n',
    },
  ],
  requests: 2,
  calls: [
    [
      "count",
      {
        step: 1,
      },
    ],
    [
      "count",
      {
        step: 2,
      },
    ],
  ],
  fails: false,
};
await play(agentOf, crafted(scene));
