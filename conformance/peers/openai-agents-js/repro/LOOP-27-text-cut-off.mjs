// A text that the token limit cut off is the final output, and nothing says that it was cut off.
// Shows: LOOP-27
import { play } from "../../shared/repro.mjs";
import { cutText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, cutText({ api: "openai-chat" }));
