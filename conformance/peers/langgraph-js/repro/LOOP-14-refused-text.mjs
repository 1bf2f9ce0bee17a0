// A streamed answer that was filtered is reported as an answer like any other: the finish reason is lost.
// Shows: LOOP-14
import { play } from "../../shared/repro.mjs";
import { refusedText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, refusedText({ api: "openai-chat", stream: true, stop: "content_filter" }));
