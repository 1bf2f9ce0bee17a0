// A call of a response that was filtered is executed.
// Shows: LOOP-15
import { play } from "../../shared/repro.mjs";
import { callBeside } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, callBeside({ api: "gemini", stop: "content_filter" }));
