// A content block of a new type makes the whole answer unreadable.
// Shows: ANTHROPIC-14
import { play } from "../../shared/repro.mjs";
import { newBlock } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, newBlock({ api: "anthropic-messages" }));
