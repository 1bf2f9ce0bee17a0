// A tool is executed with another number than the model had written: one that no double is near to.
// Shows: TOOL-3
import { play } from "../../shared/repro.mjs";
import { noObject } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, noObject({ api: "openai-chat", args: '{"path": 1e400}' }));
