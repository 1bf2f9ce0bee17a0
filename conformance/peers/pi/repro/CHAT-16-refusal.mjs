// A refusal is reported as an answer like any other.
// Shows: CHAT-16, LOOP-14
import { play } from "../../shared/repro.mjs";
import { refusedText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, refusedText({ api: "openai-chat", stream: true, stop: "stop", refusal: "I will not." }));
