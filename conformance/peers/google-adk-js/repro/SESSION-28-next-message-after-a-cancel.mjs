// After a cancel while tools run the provider refuses every further message.
// Shows: SESSION-28
import { play } from "../../shared/repro.mjs";
import { nextAfterCancel } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, nextAfterCancel({ api: "gemini" }));
