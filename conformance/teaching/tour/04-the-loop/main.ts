// The loop: call the model, execute the calls, store the results, and again, until there are no calls.

import type { Message, Tool, ToolCallMessage } from "../../../../schemas/types.ts";
import { replayed } from "../replayed.ts";
import { fromWire, toolToWire, toWire, type Item } from "../wire.ts";

const { fetch } = await replayed(import.meta.url);

type ExecutableTool = Tool & { execute(input: Record<string, unknown>): Promise<string> };

const get_weather: ExecutableTool = {
  name: "get_weather",
  description: "The weather in a city, now.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: async ({ city }) => (city === "Rome" ? "sun, 24 °C" : "rain, 14 °C"),
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

async function executeToolCall({ id, input }: ToolCallMessage): Promise<Message> {
  return { type: "tool_result", id, output: await get_weather.execute(input!) };
}

async function agentLoop(session: Message[]): Promise<void> {
  for (;;) {
    const messages = await invokeModel(session);
    session.push(...messages);
    const calls = messages.filter((message) => message.type === "tool_call");
    if (calls.length === 0) return;
    for (const call of calls) session.push(await executeToolCall(call));
  }
}

const question = "What is the weather in Paris? If it rains there, look for a city where the sun shines.";
const session: Message[] = [{ role: "user", content: question }];
await agentLoop(session);

for (const message of session) console.log(JSON.stringify(message));
