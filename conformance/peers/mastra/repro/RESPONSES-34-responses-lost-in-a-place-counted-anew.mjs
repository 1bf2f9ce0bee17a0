// Not kept: What came of the second item in a place is kept when the stream is lost.
// Shows: RESPONSES-34
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
      text: 'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","model":"gpt-replay","output":[],"error":null,"incomplete_details":null,"usage":null}}\n\nevent: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}\n\nevent: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"dowifako"}\n\nevent: response.output_item.done\ndata: {"type":"response.output_item.done","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"dowifako","annotations":[]}]}}\n\nevent: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":0,"item":{"id":"msg_2","type":"message","role":"assistant","status":"in_progress","content":[]}}\n\nevent: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"msg_2","output_index":0,"content_index":0,"delta":"fatezuba"}\n\n',
    },
  ],
  requests: 1,
  calls: [],
  fails: true,
};
await play(agentOf, crafted(scene));
