// A to-do list: the model writes it with a tool, programs read it as data, and every turn's instructions show it.

import { agentLoop, defineTool, type Message, type Provider } from "../index.ts";
import { promptLayers } from "../patterns/prompt-layers.ts";

type Todos = Record<string, string>;
const call = { type: "tool_call", name: "write_todos" } as const;
const write = (id: string, todos: Todos): Message => ({ ...call, id, input: { todos } });
const done: Message = { role: "assistant", content: "Enough." };
const script = [write("a", { sweep: "open", mop: "open" }), write("b", { sweep: "done", mop: "open" }), done];
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages: [instructions] }) {
    console.log((instructions as { content: string }).content.replaceAll("\n", " "));
    return { messages: [script.shift()!], stop_reason: "end_turn" };
  },
};
const input_schema = { type: "object", properties: { todos: { type: "object" } }, required: ["todos"] } as const;
const execute = ({ todos }: { todos: object }) => ({ output: "Noted.", data: todos, context_updates: { todos } });
const write_todos = defineTool({ name: "write_todos", description: "Replaces the list.", input_schema, execute });
const list = ({ context: { todos = {} } }: { context: { todos?: object } }) => `To do: ${JSON.stringify(todos)}`;
const instructions = promptLayers([{ name: "list", text: list }]);

const run = agentLoop({ provider, instructions, tools: [write_todos], input: "Clean." });
for await (const event of run)
  if (event.type === "message" && event.message.type === "tool_result")
    console.log("a screen shows", event.message.data);
