// A second provider: a session that one provider's model began goes on with another's.

import { tapeProvider } from "../../../traffic/in-process/index.ts";
import type { Provider } from "../../../../reference/core/ports.ts";
import type { Message, Tool, ToolCallMessage } from "../../../../schemas/types.ts";
import { validateInput } from "../../../../reference/tools/validate-input.ts";
import { listed } from "../../../../reference/state/input-problems.ts";
import { replayed } from "../replayed.ts";

const tape = await replayed(import.meta.url);
const openai = tapeProvider(tape, { provider: "openai-responses" });
const anthropic = tapeProvider(tape, { provider: "anthropic-messages" });

type ExecutableTool = Tool & { execute(input: Record<string, unknown>): Promise<string> };

const get_weather: ExecutableTool = {
  name: "get_weather",
  description: "The weather in a city, now.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: async ({ city }) => {
    if (city === "Rome") return "sun, 24 °C";
    if (city === "Paris") return "rain, 14 °C";
    throw new Error(`There is no weather station in ${city}.`);
  },
};
const tools = [get_weather];

async function invokeModel(provider: Provider, session: Message[]): Promise<Message[]> {
  const call = { signal: new AbortController().signal, onStream: () => {}, warn: console.warn };
  const { messages, error } = await provider.invokeModel({ messages: session, tools }, call);
  if (error) throw new Error(error.message);
  return messages;
}

async function executeToolCall(call: ToolCallMessage): Promise<Message> {
  try {
    return { type: "tool_result", id: call.id, output: await execute(call) };
  } catch (error) {
    return { type: "tool_result", id: call.id, output: (error as Error).message, is_error: true };
  }
}

async function execute({ name, input, raw_input }: ToolCallMessage): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}. There is: ${tools.map((one) => one.name).join(", ")}.`);
  if (input === null) throw new Error(`Expected a JSON object, but got: ${raw_input}`);
  const problems = await validateInput(tool.input_schema, input);
  if (problems.length > 0) throw new Error(listed(problems, "input"));
  return tool.execute(input);
}

async function agentLoop(provider: Provider, session: Message[]): Promise<void> {
  for (;;) {
    const messages = await invokeModel(provider, session);
    session.push(...messages);
    const calls = messages.filter((message) => message.type === "tool_call");
    if (calls.length === 0) return;
    session.push(...(await Promise.all(calls.map(executeToolCall))));
  }
}

const session: Message[] = [{ role: "user", content: "What is the weather in Paris?" }];
await agentLoop(openai, session);
session.push({ role: "user", content: "And in Rome?" });
await agentLoop(anthropic, session);

for (const message of session)
  console.log(JSON.stringify(message, (key, value: unknown) => (key === "opaque" ? "…" : value)));
