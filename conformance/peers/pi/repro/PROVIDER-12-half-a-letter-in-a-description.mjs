// Half of a surrogate pair in the description of a tool makes every request invalid.
// Shows: PROVIDER-12
import { play } from "../../shared/repro.mjs";
import { halfALetterInADescription } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, halfALetterInADescription({ api: "anthropic-messages", stream: true }));
