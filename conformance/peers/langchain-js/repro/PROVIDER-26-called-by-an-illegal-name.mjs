// A call of a name that no provider takes goes back under it.
// Shows: PROVIDER-26
import { play } from "../../shared/repro.mjs";
import { illegalName } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, illegalName({ api: "anthropic-messages" }));
