// Not kept: Arguments of which only a beginning came in pieces are whole as the event that ends them has them.
// Shows: RESPONSES-38
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-responses",
  stream: true,
  tools: {
    sweep: {
      outputs: ["vubelune"],
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
      text: 'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","model":"gpt-replay","output":[],"error":null,"incomplete_details":null,"usage":null}}\n\nevent: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":0,"item":{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_a","name":"sweep","arguments":""}}\n\nevent: response.function_call_arguments.delta\ndata: {"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":0,"delta":"{\\"room\\":"}\n\nevent: response.function_call_arguments.done\ndata: {"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":0,"arguments":"{\\"room\\":\\"baromage\\"}"}\n\nevent: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"gpt-replay","output":[],"error":null,"incomplete_details":null,"usage":{"input_tokens":9,"output_tokens":7,"total_tokens":16}}}\n\n',
    },
    {
      status: 200,
      type: "text/event-stream; charset=utf-8",
      text: 'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_r322-2","object":"response","created_at":1700000000,"status":"in_progress","background":false,"error":null,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":"replay","output":[],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"service_tier":"default","store":false,"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[{"type":"function","name":"sweep","parameters":{"type":"object","properties":{}},"strict":false}],"top_p":1,"truncation":"disabled","usage":null,"user":null},"sequence_number":0}\n\nevent: response.in_progress\ndata: {"type":"response.in_progress","response":{"id":"resp_r322-2","object":"response","created_at":1700000000,"status":"in_progress","background":false,"error":null,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":"replay","output":[],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"service_tier":"default","store":false,"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[{"type":"function","name":"sweep","parameters":{"type":"object","properties":{}},"strict":false}],"top_p":1,"truncation":"disabled","usage":null,"user":null},"sequence_number":1}\n\nevent: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":0,"item":{"id":"msg_r322-2_0","type":"message","status":"in_progress","content":[],"phase":"final_answer","role":"assistant"},"sequence_number":2}\n\nevent: response.content_part.added\ndata: {"type":"response.content_part.added","content_index":0,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":""},"item_id":"msg_r322-2_0","output_index":0,"sequence_number":3}\n\nevent: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Sw","content_index":0,"logprobs":[],"obfuscation":"kit","item_id":"msg_r322-2_0","output_index":0,"sequence_number":4}\n\nevent: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"ep","content_index":0,"logprobs":[],"obfuscation":"kit","item_id":"msg_r322-2_0","output_index":0,"sequence_number":5}\n\nevent: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"t.","content_index":0,"logprobs":[],"obfuscation":"kit","item_id":"msg_r322-2_0","output_index":0,"sequence_number":6}\n\nevent: response.output_text.done\ndata: {"type":"response.output_text.done","content_index":0,"text":"Swept.","logprobs":[],"item_id":"msg_r322-2_0","output_index":0,"sequence_number":7}\n\nevent: response.content_part.done\ndata: {"type":"response.content_part.done","content_index":0,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":"Swept."},"item_id":"msg_r322-2_0","output_index":0,"sequence_number":8}\n\nevent: response.output_item.done\ndata: {"type":"response.output_item.done","output_index":0,"item":{"id":"msg_r322-2_0","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Swept."}],"phase":"final_answer","role":"assistant"},"sequence_number":9}\n\nevent: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_r322-2","object":"response","created_at":1700000000,"status":"completed","background":false,"error":null,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":"replay","output":[{"id":"msg_r322-2_0","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Swept."}],"phase":"final_answer","role":"assistant"}],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"service_tier":"default","store":false,"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[{"type":"function","name":"sweep","parameters":{"type":"object","properties":{}},"strict":false}],"top_p":1,"truncation":"disabled","usage":{"input_tokens":118,"input_tokens_details":{},"output_tokens":16,"output_tokens_details":{},"total_tokens":134},"user":null},"sequence_number":10}\n\n',
    },
  ],
  requests: 2,
  calls: [
    [
      "sweep",
      {
        room: "baromage",
      },
    ],
  ],
  fails: false,
};
await play(agentOf, crafted(scene));
