// A call whose arguments cannot be read ends the run with an empty answer: neither the model nor the caller learns of it.
// Shows: TOOL-49
import { play } from "../../shared/repro.mjs";
import { unreadableArguments } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, unreadableArguments({ api: "openai-chat" }));
