// After a stream that was lost in a call the next message is refused, or cannot be sent.
// Shows: SESSION-26
import { play } from "../../shared/repro.mjs";
import { nextAfterLostCall } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nextAfterLostCall({ api: "anthropic-messages", stream: true }));
