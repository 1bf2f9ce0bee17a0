// Not kept: A choice that says error is a failure, whatever its finish reason says.
// Shows: CHAT-18
import { play } from "../../shared/repro.mjs";
import { crafted } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

const scene = {
  api: "openai-chat",
  stream: true,
  tools: {},
  answers: [
    {
      status: 200,
      type: "text/event-stream",
      text: 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"role":"assistant","content":"Half of fanedoyo"},"finish_reason":null}]}\n\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-replay","choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop","error":{"code":502,"message":"wivuyohi broke"}}]}\n\ndata: [DONE]\n\n',
    },
  ],
  requests: 1,
  calls: [],
  fails: true,
};
await play(agentOf, crafted(scene));
