// A stream that breaks off in its text is told as a whole answer.
// Shows: LOOP-18, PROVIDER-22
import { play } from "../../shared/repro.mjs";
import { lostText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, lostText({ api: "gemini" }));
