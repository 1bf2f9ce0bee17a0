// A call beside max_tokens is executed.
// Shows: LOOP-9
import { play } from "../../shared/repro.mjs";
import { callBeside } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, callBeside({ api: "gemini", stop: "max_tokens" }));
