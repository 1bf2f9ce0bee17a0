// Parallel calls: a response has several, they run at the same time, and the results are stored in call order.

import type { Message, Tool, ToolCallMessage } from "../../../../schemas/types.ts";
import { validateInput } from "../../../../reference/tools/validate-input.ts";
import { listed } from "../../../../reference/state/input-problems.ts";
import { replayed } from "../replayed.ts";
import { fromWire, toolToWire, toWire, type Item } from "../wire.ts";

const { fetch } = await replayed(import.meta.url);

type ExecutableTool = Tool & { execute(input: Record<string, unknown>): Promise<string> };

const get_weather: ExecutableTool = {
  name: "get_weather",
  description: "The weather in a city, now.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: async ({ city }) => {
    console.log(`${city} is asked`);
    for (let i = 0; i < String(city).length; i++) await new Promise(setImmediate);
    console.log(`${city} answers`);
    if (city === "Rome") return "sun, 24 °C";
    if (city === "Paris") return "rain, 14 °C";
    throw new Error(`There is no weather station in ${city}.`);
  },
};
const tools = [get_weather];

async function invokeModel(session: Message[]): Promise<Message[]> {
  const response = await fetch("https://api.openai.com/v1/responses", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env["OPENAI_API_KEY"]}` },
    body: JSON.stringify({ model: "gpt-4.1", input: session.map(toWire), tools: tools.map(toolToWire) }),
  });
  const { output, error } = (await response.json()) as { output: Item[]; error?: { message: string } };
  if (error) throw new Error(error.message);
  return output.map(fromWire);
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

async function agentLoop(session: Message[]): Promise<void> {
  for (;;) {
    const messages = await invokeModel(session);
    session.push(...messages);
    const calls = messages.filter((message) => message.type === "tool_call");
    if (calls.length === 0) return;
    session.push(...(await Promise.all(calls.map(executeToolCall))));
  }
}

const question = "What is the weather in Paris and in Rome?";
const session: Message[] = [{ role: "user", content: question }];
await agentLoop(session);

for (const message of session) console.log(JSON.stringify(message));
