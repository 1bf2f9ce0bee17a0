// A call is executed although its stream never ended.
// Shows: LOOP-19
import { play } from "../../shared/repro.mjs";
import { lostCall } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, lostCall({ api: "anthropic-messages", stream: true }));
