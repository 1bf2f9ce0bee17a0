// A search for tools: the model is offered one tool only, and others once it has found them.

import { agentLoop, defineTool, type Message, type Provider } from "../index.ts";

const call = (name: string, input = {}): Message => ({ type: "tool_call", id: name, name, input });
const script = [call("find_tools", { about: "weather" }), call("get_weather")];
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages, tools }) {
    console.log("declared:", tools.map(({ name }) => name).join(", "), "|", JSON.stringify(messages.at(-1)));
    const next = script.shift();
    return { messages: [next ?? { role: "assistant", content: "Rain." }], stop_reason: next ? "tool_use" : "end_turn" };
  },
};
const input_schema = { type: "object", properties: { about: { type: "string" } } } as const;
const toolOf = (name: string, output: string) => defineTool({ name, input_schema, execute: () => output });
const catalogue = [toolOf("get_weather", "It rains."), toolOf("send_mail", "Sent.")];

const execute = ({ about = "" }) => {
  const found = catalogue.flatMap(({ name }) => (name.includes(about) ? [name] : []));
  return { output: `There from now on: ${found.join(", ")}.`, context_updates: { found } };
};
const find_tools = defineTool({ name: "find_tools", description: "Finds other tools.", input_schema, execute });
const isFound = (name: string, { found = [] }: { found?: string[] }) => found.includes(name);
const tools = ({ context }: { context: object }) => [
  find_tools,
  ...catalogue.filter((one) => isFound(one.name, context)),
];
console.log((await agentLoop({ provider, tools, input: "Weather?" }).result).status);
