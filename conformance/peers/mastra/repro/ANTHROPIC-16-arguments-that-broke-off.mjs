// A stream that ends inside the arguments of a call is reported as an answer.
// Shows: ANTHROPIC-16
import { play } from "../../shared/repro.mjs";
import { lostArguments } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, lostArguments({ api: "anthropic-messages" }));
