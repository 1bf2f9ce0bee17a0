// A call of a name that no provider takes goes back under it.
// Shows: RESPONSES-14
import { play } from "../../shared/repro.mjs";
import { illegalName } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, illegalName({ api: "openai-responses", stream: true }));
