// Thinking that came without a signature goes back without one, and is refused.
// Shows: PROVIDER-20
import { play } from "../../shared/repro.mjs";
import { unsignedThinking } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, unsignedThinking({ api: "anthropic-messages" }));
