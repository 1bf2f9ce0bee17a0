// The body of an error in place of a stream is reported as an empty answer, without an error and without a finish reason.
// Shows: LOOP-18
import { play } from "../../shared/repro.mjs";
import { errorBody } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, errorBody({ api: "anthropic-messages", stream: true }));
