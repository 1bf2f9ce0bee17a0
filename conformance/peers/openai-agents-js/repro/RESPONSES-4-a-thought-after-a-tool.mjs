// Reasoning that nothing followed goes back alone, and the provider refuses it.
// Shows: RESPONSES-4
import { play } from "../../shared/repro.mjs";
import { thoughtAfterATool } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, thoughtAfterATool({ api: "openai-responses" }));
