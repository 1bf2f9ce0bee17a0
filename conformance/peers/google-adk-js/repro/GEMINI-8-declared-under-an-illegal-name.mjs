// A tool whose name Gemini does not take is declared under it.
// Shows: GEMINI-8
import { play } from "../../shared/repro.mjs";
import { illegalTool } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, illegalTool({ api: "gemini", name: "calendar/respond" }));
