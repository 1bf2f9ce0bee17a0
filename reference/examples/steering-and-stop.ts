// Steering a run under way: the message reaches the model after the tool results, and a stop lets the turn finish.

import { agentLoop, defineTool, initSession, type Provider } from "../index.ts";

// A scripted model that feeds one animal after another, and shows what it is sent.
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages }) {
    for (const message of messages) console.log(JSON.stringify({ ...message, id: undefined, meta: undefined }));
    console.log("--");
    return { messages: [{ type: "tool_call", id: "", name: "feed", input: {} }], stop_reason: "tool_use" };
  },
};
let fed = 0;
const feed = defineTool({
  name: "feed",
  input_schema: { type: "object" },
  execute() {
    fed += 1;
    if (fed === 1) run.steer("Not the lion, please.");
    if (fed === 2) run.stop();
    return "fed";
  },
});
const run = agentLoop({ provider, tools: [feed], session: initSession({ id: "zoo", user: "Feed everybody." }) });
const { status, stop_condition, turns } = await run.result;
console.log(`${status} (${stop_condition}) after ${turns} turns, with ${fed} animals fed`);
