// Of two calls that a server gives one id the next request has only one.
// Shows: SESSION-9
import { play } from "../../shared/repro.mjs";
import { repeatedIds } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, repeatedIds({ api: "openai-chat" }));
