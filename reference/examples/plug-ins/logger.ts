// A logger: what the model is asked, what it answers, which tools run, and how long each took.

import { agentLoop, defineTool, virtualClock, type ModelResponse, type Plugin } from "../../index.ts";

const logger = (log: (line: string) => void): Plugin => ({
  name: "logger",
  attach: ({ clock }) => ({
    aroundModel: (next) => async (request, turn, state) => {
      const answer = await next(request, turn, state);
      log(`turn ${turn}: ${request.messages.length} messages → ${answer.stop_reason}`);
      return answer;
    },
    aroundTool: (next) => async (call, context, state) => {
      const begun = clock.now();
      const output = await next(call, context, state);
      log(`  ${call.name}(${JSON.stringify(call.input)}) took ${clock.now() - begun} ms`);
      return output;
    },
  }),
});

const answers: ModelResponse[] = [
  { messages: [{ type: "tool_call", id: "c1", name: "brew", input: { cups: 2 } }], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Tea is ready." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const clock = virtualClock();
const brew = defineTool({ name: "brew", input_schema: { type: "object" }, execute: () => void clock.advance(180_000) });
await agentLoop({ provider, tools: [brew], input: "Tea, please.", clock, use: [logger(console.log)] }).result;
