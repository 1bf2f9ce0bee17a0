// Arguments that break the schema of the tool are executed.
// Shows: TOOL-5
import { play } from "../../shared/repro.mjs";
import { brokenSchema } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, brokenSchema({ api: "gemini" }));
