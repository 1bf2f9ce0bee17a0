// A list as arguments goes back as the input of the call, which the API takes only as an object.
// Shows: ANTHROPIC-10
import { play } from "../../shared/repro.mjs";
import { listGoesBack } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, listGoesBack({ api: "anthropic-messages", stream: true }));
