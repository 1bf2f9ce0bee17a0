// Not kept: A bare response in place of the terminal event says itself that it was cut off.
// Shows: RESPONSES-36
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
      text: 'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","model":"gpt-replay","output":[],"error":null,"incomplete_details":null,"usage":null}}\n\nevent: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"faxadozu"}\n\ndata: {"id":"resp_1","object":"response","created_at":1,"status":"incomplete","model":"gpt-replay","output":[{"id":"msg_1","type":"message","role":"assistant","status":"incomplete","content":[{"type":"output_text","text":"faxadozu","annotations":[]}]}],"error":null,"incomplete_details":{"reason":"max_output_tokens"},"usage":{"input_tokens":9,"output_tokens":7,"total_tokens":16}}\n\ndata: [DONE]\n\n',
    },
  ],
  requests: 1,
  calls: [],
  fails: true,
};
await play(agentOf, crafted(scene));
