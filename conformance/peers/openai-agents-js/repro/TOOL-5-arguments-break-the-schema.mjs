// A tool is executed with arguments that its schema forbids.
// Shows: TOOL-5
import { play } from "../../shared/repro.mjs";
import { brokenSchema } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, brokenSchema({ api: "openai-chat" }));
