// Not kept: Reasoning that was cut off has no encrypted content.
// Shows: RESPONSES-17
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-responses",
  stream: true,
  tools: {},
  answers: [
    {
      status: 200,
      type: "text/event-stream",
      text: 'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","model":"gpt-replay","output":[],"error":null,"incomplete_details":null,"usage":null}}\n\nevent: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"sabageyo"}}\n\nevent: response.reasoning_summary_text.delta\ndata: {"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":0,"delta":"They want falucixa."}\n\n',
    },
  ],
  requests: 1,
  calls: [],
  fails: true,
};
await play(agentOf, crafted(scene));
