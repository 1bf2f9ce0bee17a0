// A list as arguments is handed to the tool.
// Shows: TOOL-3
import { play } from "../../shared/repro.mjs";
import { noObject } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(
  agentOf,
  noObject({
    api: "anthropic-messages",
    schema: { type: "object", properties: { path: { type: "string" } } },
    args: '["/etc"]',
  }),
);
