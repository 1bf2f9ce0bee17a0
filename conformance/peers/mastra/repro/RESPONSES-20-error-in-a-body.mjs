// An error body with status 200 is asked for again, or reported as an answer.
// Shows: RESPONSES-20
import { play } from "../../shared/repro.mjs";
import { errorBody } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, errorBody({ api: "openai-responses", stream: true }));
