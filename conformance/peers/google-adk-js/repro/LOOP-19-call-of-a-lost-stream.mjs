// A call of a stream that never ended is executed.
// Shows: LOOP-19
import { play } from "../../shared/repro.mjs";
import { lostCall } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, lostCall({ api: "gemini" }));
