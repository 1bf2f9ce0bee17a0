// Arguments that max_tokens cut off are mended, or become {}, and the tool is executed with them.
// Shows: LOOP-9, TOOL-3
import { play } from "../../shared/repro.mjs";
import { cutArguments } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(
  agentOf,
  cutArguments({
    api: "anthropic-messages",
    stream: true,
    schema: { type: "object", properties: { path: { type: "string" } } },
    stop: "max_tokens",
  }),
);
