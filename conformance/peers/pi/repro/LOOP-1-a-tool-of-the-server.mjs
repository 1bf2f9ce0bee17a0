// What a tool of the server did does not go back.
// Shows: LOOP-1
import { play } from "../../shared/repro.mjs";
import { serverTool } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, serverTool({ api: "anthropic-messages" }));
