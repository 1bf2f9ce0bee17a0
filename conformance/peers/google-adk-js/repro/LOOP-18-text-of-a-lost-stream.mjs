// A stream that ends in the middle of its text is reported as a whole answer.
// Shows: LOOP-18, PROVIDER-22
import { play } from "../../shared/repro.mjs";
import { lostText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, lostText({ api: "gemini" }));
