// A server that counts ids anew in each response makes the conversation unusable.
// Shows: SESSION-9
import { play } from "../../shared/repro.mjs";
import { repeatedIds } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, repeatedIds({ api: "openai-chat" }));
