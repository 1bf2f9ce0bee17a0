// After a stream that broke off behind its reasoning every request ends with reasoning that nothing follows, and is refused.
// Shows: RESPONSES-4, SESSION-28
import { play } from "../../shared/repro.mjs";
import { nextAfterLostThinking } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nextAfterLostThinking({ api: "openai-responses", stream: true }));
