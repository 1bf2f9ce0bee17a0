// One tool: the model asks for a call, the program executes it, the model reads the result.

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

const session: Message[] = [{ role: "user", content: "What is the weather in Paris?" }];

session.push(...(await invokeModel(session)));
session.push(await executeToolCall(session.at(-1) as ToolCallMessage));
session.push(...(await invokeModel(session)));

for (const message of session) console.log(JSON.stringify(message));
