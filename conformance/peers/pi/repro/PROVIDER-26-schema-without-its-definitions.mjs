// The schema of a tool is sent to Anthropic without its $defs, and a $ref in it refers to nothing.
// Shows: PROVIDER-26
import { play } from "../../shared/repro.mjs";
import { lostDefinitions } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, lostDefinitions({ api: "anthropic-messages", stream: true }));
