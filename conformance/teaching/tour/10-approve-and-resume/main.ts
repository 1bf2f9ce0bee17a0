// Approve and resume: the loop is the core of the reference, and a run waits for a person, even in another process.

import { tapeProvider } from "../../../traffic/in-process/index.ts";
import { agentLoop, plainPoints } from "../../../../reference/core/agent-loop.ts";
import type { Ports, Provider, State, StreamEvent } from "../../../../reference/core/ports.ts";
import { initSession, initState } from "../../../../reference/core/session.ts";
import type { Message, ModelResponse, Tool } from "../../../../schemas/types.ts";
import { validateInput } from "../../../../reference/tools/validate-input.ts";
import { replayed } from "../replayed.ts";

const anthropic = tapeProvider(await replayed(import.meta.url), { transport: "sse" });

const MAX_TURNS = 2;
const ctrlC = new AbortController();

type ExecutableTool = Tool & { execute(input: Record<string, unknown>, signal: AbortSignal): Promise<string> };

const book_train: ExecutableTool = {
  name: "book_train",
  description: "Books a seat in the next train to a city.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: async ({ city }) => `The train to ${city} leaves at 20:15.`,
};
const tools = [book_train];

function invokeModel(provider: Provider, session: Message[], signal: AbortSignal): Promise<ModelResponse> {
  return provider.invokeModel({ messages: session, tools }, { signal, onStream, warn: console.warn });
}

function onStream(event: StreamEvent): void {
  if (event.type === "message_delta") process.stdout.write(`${event.delta}|`);
  if (event.type === "message_end") process.stdout.write("\n");
}

const ports: Ports = {
  ...plainPoints,
  agents: { main: { name: "main", tools } },
  signal: ctrlC.signal,
  invokeModel: ({ messages }) => invokeModel(anthropic, messages, ctrlC.signal),
  executeTool: ({ name, input }) => tools.find((one) => one.name === name)!.execute(input, ctrlC.signal),
  boundary: async ({ turn, ending }) =>
    turn < MAX_TURNS || ending ? { do: "continue" } : { do: "end", ending: { status: "max_turns" } },
  decide: async ({ name }) => ({ do: name === "book_train" ? "ask" : "run" }),
  execute: (calls, run) => Promise.all(calls.map(run)),
  validateInput,
  emit: () => {},
};

const session = initSession({ id: "trip", user: "Take me to Rome." });
const suspended = await agentLoop(initState(session, "main"), ports);
const kept = JSON.stringify(suspended); // in a file or a database, until somebody has decided
console.log(suspended.ending?.status);

const { ending: _, ...state } = JSON.parse(kept) as State;
const approved: State = { ...state, phase: "executing", decisions: [{ do: "run" }] };
const done = await agentLoop(approved, ports);
console.log(done.ending?.status);

for (const message of done.session.messages) console.log(JSON.stringify({ ...message, meta: undefined }));
