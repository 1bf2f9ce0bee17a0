// After a tool the model has nothing to say, and is asked again and again.
// Shows: LOOP-21
import { play } from "../../shared/repro.mjs";
import { emptyReply } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, emptyReply({ api: "openai-chat" }));
