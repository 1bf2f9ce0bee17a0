// Not kept: Arguments that come as an object are taken as they are.
// Shows: CHAT-14
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-chat",
  tools: {
    look: {
      outputs: ["yokoluro"],
      schema: {
        type: "object",
        properties: {},
      },
    },
  },
  answers: [
    {
      status: 200,
      type: "application/json",
      text: '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"gpt-replay","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"look","arguments":{"at":"fabaxaci"}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":7,"total_tokens":16}}',
    },
    {
      status: 200,
      type: "application/json",
      text: '{"id":"chatcmpl-r25-2","object":"chat.completion","created":1700000000,"model":"replay","service_tier":"default","system_fingerprint":"fp_kit","choices":[{"index":0,"message":{"role":"assistant","content":"Seen.","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":118,"completion_tokens":16,"total_tokens":134}}',
    },
  ],
  requests: 2,
  calls: [
    [
      "look",
      {
        at: "fabaxaci",
      },
    ],
  ],
  fails: false,
  has: ["user", "tool"],
};
await play(agentOf, crafted(scene));
