// What a tool of the server was asked is not in what goes back.
// Shows: LOOP-1
import { play } from "../../shared/repro.mjs";
import { serverTool } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, serverTool({ api: "anthropic-messages" }));
