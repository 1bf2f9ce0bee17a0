// A limit: asked between two turns, it ends the run once the session has so many messages.

import { agentLoop, defineTool, type ModelResponse, type Plugin } from "../../index.ts";

const sessionSize = (most: number): Plugin => ({
  name: "session-size",
  attach: () => ({
    betweenTurns: {
      check: ({ session }) =>
        session.messages.length >= most
          ? { do: "end", ending: { status: "stopped", stop_condition: "session_size" }, limit: "session_size" }
          : { do: "continue" },
    },
  }),
});

let turn = 0;
const answer = (): ModelResponse => ({
  messages: [{ type: "tool_call", id: `c${(turn += 1)}`, name: "look", input: {} }],
  stop_reason: "tool_use",
});
const provider = { name: "scripted", invokeModel: async () => answer() };
const tools = [defineTool({ name: "look", input_schema: { type: "object" }, execute: () => "nothing new" })];
const run = agentLoop({ provider, tools, input: "Keep looking.", use: [sessionSize(6)] });
for await (const event of run) if (event.type === "limit") console.log("reached:", event.limit);
const { messages } = await run.session;
console.log((await run.result).status, `with ${messages.length} messages`);
