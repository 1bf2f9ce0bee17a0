// Not kept: A block of a type that nobody knows is kept in its place and sent back unchanged.
// Shows: ANTHROPIC-14
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "anthropic-messages",
  tools: {
    look: {
      outputs: ["hibemado"],
      schema: {
        type: "object",
      },
    },
  },
  answers: [
    {
      status: 200,
      type: "application/json",
      text: '{"id":"msg_1","type":"message","role":"assistant","model":"claude-replay","content":[{"type":"text","text":"I yopiyone."},{"type":"dream_cikociko","depth":3,"of":["lubageci"]},{"type":"tool_use","id":"toolu_a","name":"look","input":{}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":7}}',
    },
    {
      status: 200,
      type: "application/json",
      text: '{"id":"msg_r21-2","type":"message","role":"assistant","model":"replay","content":[{"type":"text","text":"Seen."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":118,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"output_tokens":16,"service_tier":"standard"}}',
    },
  ],
  requests: 2,
  calls: [["look", {}]],
  fails: false,
  has: ["dream_cikociko", "lubageci"],
};
await play(agentOf, crafted(scene));
