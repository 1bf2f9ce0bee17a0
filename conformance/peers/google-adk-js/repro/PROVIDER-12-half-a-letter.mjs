// Half of a letter in the output of a tool goes out.
// Shows: PROVIDER-12
import { play } from "../../shared/repro.mjs";
import { halfALetter } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, halfALetter({ api: "gemini" }));
