// A call of a tool that nobody has: the one behind it is not executed, none has a result, and the provider refuses the next request.
// Shows: GEMINI-2, TOOL-11
import { play } from "../../shared/repro.mjs";
import { unknownToolFirst } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, unknownToolFirst({ api: "gemini" }));
