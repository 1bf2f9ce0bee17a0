// The event response.failed is ignored, and half a text is the answer.
// Shows: RESPONSES-20
import { play } from "../../shared/repro.mjs";
import { failedResponse } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, failedResponse({ api: "openai-responses", stream: true }));
