// After a stream that broke off in its text the model is asked again with the half, and both texts are glued together.
// Shows: SESSION-13
import { play } from "../../shared/repro.mjs";
import { halfTextGoesBack } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, halfTextGoesBack({ api: "anthropic-messages", stream: true }));
