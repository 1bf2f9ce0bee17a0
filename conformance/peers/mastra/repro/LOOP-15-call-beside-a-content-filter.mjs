// A call beside a content filter is executed.
// Shows: LOOP-15
import { play } from "../../shared/repro.mjs";
import { callBeside } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, callBeside({ api: "openai-chat", stop: "content_filter" }));
