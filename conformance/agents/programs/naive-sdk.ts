// A naive agent loop over each official SDK, streamed. Nothing is checked, nothing is kept.

import { execSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type Content, type Part } from "@google/genai";
import OpenAI from "openai";

type Input = Record<string, string>;
interface Call {
  id: string;
  name: string;
  input: Input;
}

const text = { type: "string" } as const;
const tools: Record<string, { keys: string[]; execute(input: Input): unknown }> = {
  read_file: { keys: ["path"], execute: ({ path = "" }) => readFileSync(path, "utf8") },
  write_file: { keys: ["path", "content"], execute: ({ path = "", content = "" }) => writeFileSync(path, content) },
  run_shell_command: { keys: ["command"], execute: ({ command = "" }) => execSync(command, { encoding: "utf8" }) },
};
const schemaOf = (keys: string[]) => ({
  type: "object" as const,
  properties: Object.fromEntries(keys.map((key) => [key, text])),
  required: keys,
});
const execute = ({ name, input }: Call) => String(tools[name]!.execute(input));
const prompt = process.argv[2] ?? "Hello.";

const loops = {
  async "anthropic-messages"() {
    const client = new Anthropic();
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
    const declared = Object.entries(tools).map(([name, { keys }]) => ({ name, input_schema: schemaOf(keys) }));
    for (;;) {
      const stream = client.messages.stream({ model: "probe-model", max_tokens: 1024, messages, tools: declared });
      const answer = await stream.finalMessage();
      messages.push({ role: "assistant", content: answer.content });
      const calls = answer.content.filter((block) => block.type === "tool_use");
      if (calls.length === 0) return answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      const results = calls.map(({ id, name, input }) => ({
        type: "tool_result" as const,
        tool_use_id: id,
        content: execute({ id, name, input: input as Input }),
      }));
      messages.push({ role: "user", content: results });
    }
  },
  async gemini() {
    const client = new GoogleGenAI({});
    const contents: Content[] = [{ role: "user", parts: [{ text: prompt }] }];
    const functionDeclarations = Object.entries(tools).map(([name, { keys }]) => ({
      name,
      parametersJsonSchema: schemaOf(keys),
    }));
    const config = { tools: [{ functionDeclarations }] };
    for (;;) {
      const parts: Part[] = [];
      const stream = await client.models.generateContentStream({ model: "probe-model", contents, config });
      for await (const chunk of stream) parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      contents.push({ role: "model", parts });
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      if (calls.length === 0) return parts.map((part) => part.text ?? "").join("");
      const results = calls.map(({ id, name = "", args = {} }) => ({
        functionResponse: {
          ...(id !== undefined && { id }),
          name,
          response: { output: execute({ id: "", name, input: args as Input }) },
        },
      }));
      contents.push({ role: "user", parts: results });
    }
  },
  async "openai-chat"() {
    const client = new OpenAI();
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
    const declared = Object.entries(tools).map(([name, { keys }]) => ({
      type: "function" as const,
      function: { name, parameters: schemaOf(keys) },
    }));
    for (;;) {
      const stream = client.chat.completions.stream({ model: "probe-model", messages, tools: declared });
      const { message } = (await stream.finalChatCompletion()).choices[0]!;
      messages.push(message);
      const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
      if (calls.length === 0) return message.content ?? "";
      for (const { id, function: called } of calls)
        messages.push({
          role: "tool",
          tool_call_id: id,
          content: execute({ id, name: called.name, input: JSON.parse(called.arguments) as Input }),
        });
    }
  },
  async "openai-responses"() {
    const client = new OpenAI();
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: prompt }];
    const declared = Object.entries(tools).map(([name, { keys }]) => ({
      type: "function" as const,
      name,
      parameters: schemaOf(keys),
      strict: false,
    }));
    for (;;) {
      const answer = await client.responses.create({ model: "probe-model", input, tools: declared, store: false });
      input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
      const calls = answer.output.filter((item) => item.type === "function_call");
      if (calls.length === 0) return answer.output_text;
      for (const { call_id, name, arguments: written } of calls) {
        const output = execute({ id: call_id, name, input: JSON.parse(written) as Input });
        input.push({ type: "function_call_output", call_id, output });
      }
    }
  },
};

const { PROVIDER = "anthropic-messages" } = process.env;
console.log(await loops[PROVIDER as keyof typeof loops]());
