// A streamed text that the token limit cut off is an answer like any other: the finish reason is lost.
// Shows: LOOP-27
import { play } from "../../shared/repro.mjs";
import { cutText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, cutText({ api: "openai-chat", stream: true }));
