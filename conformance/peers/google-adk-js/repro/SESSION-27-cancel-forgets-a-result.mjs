// A cancel forgets what a tool had already done.
// Shows: SESSION-27
import { play } from "../../shared/repro.mjs";
import { forgottenByCancel } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, forgottenByCancel({ api: "gemini" }));
