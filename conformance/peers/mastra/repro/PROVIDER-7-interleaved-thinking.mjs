// Thinking between two calls loses its place: one response goes back as two.
// Shows: PROVIDER-7, ANTHROPIC-9
import { play } from "../../shared/repro.mjs";
import { interleaved } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, interleaved({ api: "anthropic-messages" }));
