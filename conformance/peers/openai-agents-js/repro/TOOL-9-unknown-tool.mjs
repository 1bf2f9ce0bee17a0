// One wrong name of a tool ends the run, and what the call beside it was to do is not done.
// Shows: TOOL-9, TOOL-11
import { play } from "../../shared/repro.mjs";
import { unknownTool } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, unknownTool({ api: "openai-chat" }));
