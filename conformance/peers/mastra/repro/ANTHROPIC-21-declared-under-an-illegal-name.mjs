// A tool is declared under a name that no provider takes.
// Shows: ANTHROPIC-21
import { play } from "../../shared/repro.mjs";
import { illegalTool } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, illegalTool({ api: "anthropic-messages" }));
