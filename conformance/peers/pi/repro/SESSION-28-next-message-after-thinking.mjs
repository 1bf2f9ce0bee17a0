// After a response of nothing but thinking the next message is refused.
// Shows: SESSION-28
import { play } from "../../shared/repro.mjs";
import { nextAfterThinking } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nextAfterThinking({ api: "anthropic-messages", stream: true }));
