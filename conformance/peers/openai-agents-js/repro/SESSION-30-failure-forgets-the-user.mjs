// A run that fails forgets what the user had said.
// Shows: SESSION-30
import { play } from "../../shared/repro.mjs";
import { forgottenWords } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, forgottenWords({ api: "openai-chat" }));
