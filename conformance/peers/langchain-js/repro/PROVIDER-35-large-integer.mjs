// An integer with more digits than a double has goes back as another one.
// Shows: PROVIDER-35
import { play } from "../../shared/repro.mjs";
import { largeInteger } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, largeInteger({ api: "openai-chat" }));
