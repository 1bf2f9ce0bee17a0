// Half a text of a stream that was lost is reported as the answer, or another request is glued to it.
// Shows: LOOP-18, PROVIDER-22, RESPONSES-19
import { play } from "../../shared/repro.mjs";
import { lostText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, lostText({ api: "openai-responses", stream: true }));
