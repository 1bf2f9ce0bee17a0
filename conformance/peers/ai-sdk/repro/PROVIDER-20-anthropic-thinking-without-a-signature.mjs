// Not kept: Thinking that a server gave without a signature does not get one.
// Shows: PROVIDER-20
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "anthropic-messages",
  tools: {
    look: {
      outputs: ["sanebezu"],
      schema: {
        type: "object",
      },
    },
  },
  answers: [
    {
      status: 200,
      type: "application/json",
      text: '{"id":"msg_1","type":"message","role":"assistant","model":"claude-replay","content":[{"type":"thinking","thinking":"pitehizu"},{"type":"tool_use","id":"toolu_a","name":"look","input":{}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":7}}',
    },
    {
      status: 200,
      type: "application/json",
      text: '{"id":"msg_r20-2","type":"message","role":"assistant","model":"replay","content":[{"type":"text","text":"Seen."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":118,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"output_tokens":16,"service_tier":"standard"}}',
    },
  ],
  requests: 2,
  calls: [["look", {}]],
  told: false,
  has: ["user", "tool_use", "toolu_a"],
};
await play(agentOf, crafted(scene));
