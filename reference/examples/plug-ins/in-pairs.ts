// A scheduler in place of the standard one: calls run two by two, whatever their tools are.

import { agentLoop, defineTool, type Message, type ModelResponse, type Plugin } from "../../index.ts";

const inPairs: Plugin = {
  name: "in-pairs",
  replaces: "scheduling",
  attach: () => ({
    aroundBatch: () => async (calls, run) => {
      const pairs = calls.map((_, at) => calls.slice(at, at + 2)).filter((_, at) => at % 2 === 0);
      const executed = [];
      for (const pair of pairs) executed.push(...(await Promise.all(pair.map(run))));
      return executed;
    },
  }),
};

const call = (id: string): Message => ({ type: "tool_call", id, name: "wash", input: {} });
const answers: ModelResponse[] = [
  { messages: ["a", "b", "c", "d", "e"].map(call), stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "All is clean." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const tools = [defineTool({ name: "wash", input_schema: { type: "object" }, execute: () => "clean" })];
const line: string[] = [];
for await (const event of agentLoop({ provider, tools, input: "Wash up.", use: [inPairs] }))
  if (event.type === "tool_start") line.push(`${event.id}(`);
  else if (event.type === "tool_end") line.push(")");
console.log(line.join(" "));
