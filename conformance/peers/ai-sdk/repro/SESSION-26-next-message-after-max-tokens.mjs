// After a call beside max_tokens the next message is refused, or cannot be sent.
// Shows: SESSION-26
import { play } from "../../shared/repro.mjs";
import { nextAfterCallBeside } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nextAfterCallBeside({ api: "anthropic-messages", stop: "max_tokens" }));
