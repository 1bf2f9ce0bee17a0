// After an empty reply the next message is refused.
// Shows: SESSION-28
import { play } from "../../shared/repro.mjs";
import { nextAfterEmptyReply } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nextAfterEmptyReply({ api: "anthropic-messages" }));
