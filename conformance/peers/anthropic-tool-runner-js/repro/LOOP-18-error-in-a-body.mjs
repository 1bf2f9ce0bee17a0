// The body of an error with status 200 is given to the caller as a message.
// Shows: LOOP-18
import { play } from "../../shared/repro.mjs";
import { errorBody } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, errorBody({ api: "anthropic-messages" }));
