// The driver of my-framework: lets the conformance kit run it over HTTP. Needs Node 22.18 or later, and: npm install
//
//   npx agent-loop-spec driver check --driver .            the protocol, message by message
//   npx agent-loop-spec test --driver . --case next-message/  the first cases
//   npx agent-loop-spec explain SESSION-6                  what a requirement says, and which cases test it
//
// It works as it stands: its loop is a few lines around the SDK of OpenAI. Put your framework in their place.

import OpenAI from "openai";
import { executeTool, serve } from "./kit.ts";

/** What a conversation is in your framework: an agent with its memory, a session, a thread. */
interface Conversation {
  tools: OpenAI.Chat.ChatCompletionTool[];
  messages: OpenAI.Chat.ChatCompletionMessageParam[];
  limit: number;
}

const conversations = new Map<string, Conversation>(); // by run, as the framework itself keeps them
const cancels = new Map<string, AbortController>();

/** Says something to a conversation, and tells in one word how that ended, as the framework tells its caller. */
async function say(run: string, conversation: Conversation, input: string, model: any): Promise<object> {
  conversations.set(run, conversation);
  const client = new OpenAI({ baseURL: model.base_url, apiKey: model.api_key, maxRetries: 0 });
  const { signal } = cancels.set(run, new AbortController()).get(run)!;
  const { messages, tools, limit } = conversation;
  messages.push({ role: "user", content: input });
  try {
    for (let turn = 0; turn < limit; turn += 1) {
      const body = { model: model.model, messages, ...(tools.length > 0 && { tools }) };
      const answer =
        model.transport === "sse"
          ? await client.chat.completions.stream(body, { signal }).finalChatCompletion()
          : await client.chat.completions.create(body, { signal });
      const { message, finish_reason } = answer.choices[0]!;
      const text = message.content ?? "";
      const isCut = finish_reason === "length" || finish_reason === "content_filter" || Boolean(message.refusal);
      const asked = isCut ? [] : (message.tool_calls ?? []).filter((call) => call.type === "function");
      const calls = asked.map((call) => ({ ...call, input: parsed(call.function.arguments) }));
      if (calls.length > 0 || text)
        messages.push({ role: "assistant", content: text, ...(calls[0] && { tool_calls: calls.map(sent) }) });
      const results = calls.map(({ function: { name }, input }) =>
        Promise.race([execute(run, conversation, name, input), aborted(signal)]),
      );
      for (const [at, content] of (await Promise.all(results)).entries())
        messages.push({ role: "tool", tool_call_id: calls[at]!.id, content });
      signal.throwIfAborted();
      if (calls.length > 0) continue;
      if (!isCut) return { ended: "completed", text };
      return { ended: finish_reason === "length" ? "cut_off" : "refused", text };
    }
    return { ended: "limit" };
  } catch (error) {
    return signal.aborted ? { ended: "cancelled" } : { ended: "error", error: String(error) };
  }
}

/** The arguments of a call; undefined if they are no JSON object, and then nothing is executed. */
function parsed(written: string): object | undefined {
  try {
    const input: unknown = JSON.parse(written || "{}");
    return typeof input === "object" && input !== null && !Array.isArray(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

/** A call as it goes back. */
function sent({ id, type, function: { name }, input = {} }: any): OpenAI.Chat.ChatCompletionMessageToolCall {
  return { id, type, function: { name, arguments: JSON.stringify(input) } };
}

/** A tool that throws, or that cannot be called so, is told to the model. */
async function execute(run: string, { tools }: Conversation, name: string, input: object | undefined): Promise<string> {
  if (!tools.some((tool) => tool.type === "function" && tool.function.name === name))
    return `There is no tool ${name}.`;
  if (!input) return "The arguments are no JSON object.";
  return await executeTool(run, name, input).catch((error: Error) => `Error: ${error.message}`);
}

/** What the model is told of a call that the user did not wait for. */
function aborted(signal: AbortSignal): Promise<string> {
  const told = "The user cancelled this.";
  if (signal.aborted) return Promise.resolve(told);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(told), { once: true }));
}

serve({
  initialize: () => ({
    protocol: 1,
    implementation: { name: "my-framework", version: "0.1.0", language: "typescript" },
    level: "wire",
    seams: ["openai-chat"], // the providers that the framework speaks
    transports: ["json", "sse"],
    verbs: ["after", "cancel", "limit"], // leave out what the framework does not have
    models: { "openai-chat": "gpt-5" },
    concurrency: 8,
  }),
  run({ run, after, input, tools = [], instructions, limit = 20, model }) {
    const known = conversations.get(after);
    if (known) return say(run, known, input, model);
    const messages = instructions ? [{ role: "system" as const, content: instructions }] : [];
    const functions = tools.map(({ name, description, input_schema: parameters }: any) => ({
      type: "function",
      function: { name, ...(description && { description }), parameters },
    }));
    return say(run, { tools: functions, messages, limit }, input, model);
  },
  cancel: ({ run }) => cancels.get(run)?.abort(),
  shutdown: () => ({}),
});
