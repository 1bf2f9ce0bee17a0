// Of two streamed calls the second goes back in a content of its own, with the signature of the first.
// Shows: GEMINI-6
import { play } from "../../shared/repro.mjs";
import { signatureOfAnother } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, signatureOfAnother({ api: "gemini" }));
