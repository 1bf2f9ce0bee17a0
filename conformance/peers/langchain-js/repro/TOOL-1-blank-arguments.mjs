// A tool without parameters cannot be called with nothing as its arguments.
// Shows: TOOL-1
import { play } from "../../shared/repro.mjs";
import { nothingAsArguments } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nothingAsArguments({ api: "openai-chat", args: " " }));
