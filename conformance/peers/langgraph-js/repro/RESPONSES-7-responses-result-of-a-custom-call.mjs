// Not kept: The result of a custom call is of the type of its call.
// Shows: RESPONSES-7
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-responses",
  tools: {
    look: {
      outputs: ["cikovuyo", "cikovuyo"],
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
      text: '{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"gpt-replay","output":[{"id":"ctc_1","type":"custom_tool_call","status":"completed","call_id":"call_a","name":"look","input":"at dozucige"},{"id":"fc_2","type":"function_call","status":"completed","call_id":"call_b","name":"look","arguments":"{}"}],"error":null,"incomplete_details":null,"usage":{"input_tokens":9,"output_tokens":7,"total_tokens":16}}',
    },
    {
      status: 200,
      type: "application/json",
      text: '{"id":"resp_r158-2","object":"response","created_at":1700000000,"status":"completed","background":false,"error":null,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":"replay","output":[{"id":"msg_r158-2_0","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Seen."}],"phase":"final_answer","role":"assistant"}],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"service_tier":"default","store":false,"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{}},"strict":false}],"top_p":1,"truncation":"disabled","usage":{"input_tokens":118,"input_tokens_details":{},"output_tokens":16,"output_tokens_details":{},"total_tokens":134},"user":null}',
    },
  ],
  requests: 2,
  calls: [["look", {}]],
  fails: false,
};
await play(agentOf, crafted(scene));
