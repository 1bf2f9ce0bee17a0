// After arguments that break off the next message is refused.
// Shows: SESSION-28
import { play } from "../../shared/repro.mjs";
import { nextAfterCutArguments } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nextAfterCutArguments({ api: "openai-chat", stop: "max_tokens" }));
