// A call beside the text of a refusal is executed.
// Shows: LOOP-15
import { play } from "../../shared/repro.mjs";
import { refusedCall } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, refusedCall({ api: "openai-chat" }));
