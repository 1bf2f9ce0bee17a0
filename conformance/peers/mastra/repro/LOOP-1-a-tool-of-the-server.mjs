// What a tool of the server did goes back as a call of one's own.
// Shows: LOOP-1
import { play } from "../../shared/repro.mjs";
import { serverTool } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, serverTool({ api: "anthropic-messages" }));
