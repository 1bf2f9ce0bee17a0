// An empty text block beside a call goes back, and is refused.
// Shows: PROVIDER-11, ANTHROPIC-8
import { play } from "../../shared/repro.mjs";
import { emptyText } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, emptyText({ api: "anthropic-messages" }));
