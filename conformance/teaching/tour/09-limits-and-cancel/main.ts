// Limits and cancel: a run has more than one ending, and after each of them the session can go on.

import { tapeProvider } from "../../../traffic/in-process/index.ts";
import type { Provider, StreamEvent } from "../../../../reference/core/ports.ts";
import type { Message, ModelResponse, RunStatus, Tool, ToolCallMessage } from "../../../../schemas/types.ts";
import { validateInput } from "../../../../reference/tools/validate-input.ts";
import { listed } from "../../../../reference/state/input-problems.ts";
import { replayed } from "../replayed.ts";

const anthropic = tapeProvider(await replayed(import.meta.url), { transport: "sse" });

const MAX_TURNS = 2;
const ctrlC = new AbortController();

type ExecutableTool = Tool & { execute(input: Record<string, unknown>, signal: AbortSignal): Promise<string> };

const get_weather: ExecutableTool = {
  name: "get_weather",
  description: "The weather in a city, now.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: async ({ city }, signal) => {
    if (city === "Rome") ctrlC.abort(); // somebody presses the keys while the tool runs
    signal.throwIfAborted();
    if (city === "Rome") return "sun, 24 °C";
    if (city === "Paris") return "rain, 14 °C";
    throw new Error(`There is no weather station in ${city}.`);
  },
};
const tools = [get_weather];

function invokeModel(provider: Provider, session: Message[], signal: AbortSignal): Promise<ModelResponse> {
  return provider.invokeModel({ messages: session, tools }, { signal, onStream, warn: console.warn });
}

function onStream(event: StreamEvent): void {
  if (event.type === "message_delta") process.stdout.write(`${event.delta}|`);
  if (event.type === "message_end") process.stdout.write("\n");
}

async function executeToolCall(call: ToolCallMessage, signal: AbortSignal): Promise<Message> {
  try {
    return { type: "tool_result", id: call.id, output: await execute(call, signal) };
  } catch (error) {
    return { type: "tool_result", id: call.id, output: (error as Error).message, is_error: true };
  }
}

async function execute({ name, input, raw_input }: ToolCallMessage, signal: AbortSignal): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}. There is: ${tools.map((one) => one.name).join(", ")}.`);
  if (input === null) throw new Error(`Expected a JSON object, but got: ${raw_input}`);
  const problems = await validateInput(tool.input_schema, input);
  if (problems.length > 0) throw new Error(listed(problems, "input"));
  signal.throwIfAborted(); // after a cancel nothing is started
  return tool.execute(input, signal);
}

async function agentLoop(provider: Provider, session: Message[], signal: AbortSignal): Promise<RunStatus> {
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    const { messages, error } = await invokeModel(provider, session, signal);
    if (error) return signal.aborted ? "cancelled" : "error";
    session.push(...messages);
    const calls = messages.filter((message) => message.type === "tool_call");
    if (calls.length === 0) return "completed";
    session.push(...(await Promise.all(calls.map((call) => executeToolCall(call, signal)))));
    if (signal.aborted) return "cancelled";
  }
  return "max_turns";
}

const session: Message[] = [];
for (const content of ["Wait until the sun shines in Paris.", "Is Rome better?", "What do you know?"]) {
  session.push({ role: "user", content });
  const { signal } = content === "Is Rome better?" ? ctrlC : new AbortController();
  console.log(await agentLoop(anthropic, session, signal));
}

for (const message of session.slice(-8)) console.log(JSON.stringify(message));
