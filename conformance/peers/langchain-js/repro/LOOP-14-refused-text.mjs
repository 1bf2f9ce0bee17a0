// An answer that was refused or filtered is reported as an answer like any other.
// Shows: LOOP-14
import { play } from "../../shared/repro.mjs";
import { refusedText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, refusedText({ api: "anthropic-messages", stop: "refusal" }));
