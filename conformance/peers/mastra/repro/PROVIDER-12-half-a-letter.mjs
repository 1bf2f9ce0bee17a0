// Half of a surrogate pair in the output of a tool makes every further request invalid.
// Shows: PROVIDER-12
import { play } from "../../shared/repro.mjs";
import { halfALetter } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, halfALetter({ api: "anthropic-messages" }));
