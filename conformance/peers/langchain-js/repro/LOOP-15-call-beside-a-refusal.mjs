// A call beside a refusal is executed.
// Shows: LOOP-15
import { play } from "../../shared/repro.mjs";
import { callBeside } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, callBeside({ api: "anthropic-messages", stop: "refusal" }));
