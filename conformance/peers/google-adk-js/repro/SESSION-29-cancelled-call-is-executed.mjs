// A call that had come when the run was cancelled is executed with the next message.
// Shows: SESSION-29
import { play } from "../../shared/repro.mjs";
import { cancelledCall } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, cancelledCall({ api: "gemini" }));
