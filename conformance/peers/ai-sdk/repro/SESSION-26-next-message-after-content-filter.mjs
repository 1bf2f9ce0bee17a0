// After a call beside content_filter the next message is refused, or cannot be sent.
// Shows: SESSION-26
import { play } from "../../shared/repro.mjs";
import { nextAfterCallBeside } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nextAfterCallBeside({ api: "openai-chat", stop: "content_filter" }));
