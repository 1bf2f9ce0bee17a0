// A run that fails forgets what a tool had done.
// Shows: SESSION-27
import { play } from "../../shared/repro.mjs";
import { forgotten } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, forgotten({ api: "openai-chat" }));
