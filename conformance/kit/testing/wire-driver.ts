// A driver of level wire around a loop of a few lines over Chat Completions, right or wrong in one way: `node wire-driver.ts <way>`.

import { createInterface } from "node:readline";
import type { ModelAccess, NextMessageParams, ToolExecuteParams, WireRunParams } from "../../../schemas/types.ts";

interface Said {
  role: string;
  content?: string | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}
interface Conversation extends Pick<WireRunParams, "tools" | "limit"> {
  messages: Said[];
}
type Wire = Exclude<ModelAccess, { seam: "generic" }>;

const way = process.argv[2] ?? "right";
const conversations = new Map<string, Conversation>();
const waiting = new Map<string, (answer: { result?: { output: string } }) => void>();
const cancelled = new Set<string>();
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const methods: Record<string, (params: never) => unknown> = {
  initialize: () => ({
    protocol: 1,
    implementation: { name: "wire", version: "1", language: "typescript" },
    level: "wire",
    seams: ["openai-chat"],
    transports: ["json"],
    verbs: way === "offers nothing" ? [] : ["after", "cancel", "limit"],
  }),
  run: (params: WireRunParams | NextMessageParams) => say(params),
  shutdown: () => ({}),
};

async function say(params: WireRunParams | NextMessageParams): Promise<object> {
  const { run, input, model } = params;
  const known = "after" in params ? conversations.get(params.after) : undefined;
  const begun = { messages: [], tools: [], ...("tools" in params && { tools: params.tools, limit: params.limit }) };
  const conversation: Conversation = known && way !== "forgets the conversation" ? known : (begun as Conversation);
  conversations.set(run, conversation);
  conversation.messages.push({ role: "user", content: input });
  try {
    const ended = await turns(run, conversation, model as Wire);
    return way === "says nothing of the ending" ? {} : { ended };
  } catch (error) {
    return way === "tells failures as success" ? { ended: "completed" } : { ended: "error", error: String(error) };
  }
}

async function turns(run: string, { messages, tools, limit = 9 }: Conversation, model: Wire): Promise<string> {
  for (let turn = 0; turn < limit; turn += 1) {
    const message = await ask(model, messages, tools);
    messages.push(message);
    for (const { id, function: call } of message.tool_calls ?? []) {
      const input = way === "changes the arguments" ? {} : (JSON.parse(call.arguments) as object);
      const { result } = await execute({ run, call: { name: call.name, input } });
      messages.push({ role: "tool", tool_call_id: id, content: result?.output ?? "It failed." });
    }
    if (cancelled.has(run)) return "cancelled";
    if (!message.tool_calls) return "completed";
  }
  return "limit";
}

async function ask({ base_url, api_key, model }: Wire, messages: Said[], tools: WireRunParams["tools"]): Promise<Said> {
  const functions = tools.map(({ name, input_schema }) => ({
    type: "function",
    function: { name, parameters: input_schema },
  }));
  const response = await fetch(`${base_url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${api_key}` },
    body: JSON.stringify({ model, messages, ...(functions.length > 0 && { tools: functions }) }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { choices } = (await response.json()) as { choices: { message: Said }[] };
  return choices[0]!.message;
}

function execute(params: ToolExecuteParams): Promise<{ result?: { output: string } }> {
  const id = `d${waiting.size + 1}`;
  send({ id, method: "tool/execute", params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const lines = createInterface({ input: process.stdin });
lines.on("close", () => process.exit(0));
lines.on("line", (line) => {
  const { id, method, params, ...answer } = JSON.parse(line) as { id?: string; method?: string; params?: never };
  if (method === undefined) return waiting.get(String(id))?.(answer);
  if (method === "cancel") cancelled.add((params as unknown as { run: string }).run);
  if (id === undefined) return;
  const known = methods[method];
  if (!known) return void send({ id, error: { code: -32601, message: `no method ${method}` } });
  void Promise.resolve(known(params!)).then((result) => send({ id, result }));
});
