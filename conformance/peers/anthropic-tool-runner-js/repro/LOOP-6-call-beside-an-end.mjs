// A call beside a stop reason that says that the model has ended is not executed.
// Shows: LOOP-6
import { play } from "../../shared/repro.mjs";
import { forgottenCall } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, forgottenCall({ api: "anthropic-messages" }));
