// Tools whose names a provider refuses: declared under others, called under their own.

import { expect, test } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { openaiChat } from "../openai-chat/index.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { WarningCode } from "../../../schemas/types.ts";

const tools = [{ name: "calendar.add event", input_schema: { type: "object" as const } }];
const request = { messages: [{ role: "user" as const, content: "Hello" }], tools };

test.each(["anthropic-messages", "openai-chat"] as const)("of %s keep their names in the session", async (name) => {
  let told = "";
  const client = {
    post: (_path: string, { body }: { body: unknown }) => ({
      asResponse: async () => {
        const [tool] = (body as { tools: { name?: string; function?: { name: string } }[] }).tools;
        told = tool?.name ?? tool?.function?.name ?? "";
        return new Response(name === "openai-chat" ? chat(told) : messages(told));
      },
    }),
  };
  const events: StreamEvent[] = [];
  const warned: WarningCode[] = [];
  const call = {
    signal: new AbortController().signal,
    onStream: (event: StreamEvent) => events.push(event),
    warn: (code: WarningCode) => warned.push(code),
  };
  const provider =
    name === "openai-chat" ? openaiChat({ model: "m", client }) : anthropicMessages({ model: "m", client });
  const response = await provider.invokeModel(request, call);
  const expected = { type: "tool_call", id: "c", name: "calendar.add event" };
  expect(told).toMatch(/^calendar_add_event_[a-z0-9]+$/);
  expect(warned).toEqual(["id_mapped"]);
  expect(response.messages).toMatchObject([expected]);
  expect(events).toMatchObject([
    { type: "message_start", message: expected },
    { type: "message_end", message: expected },
  ]);
});

function chat(tool: string): string {
  const tool_calls = [{ index: 0, id: "c", function: { name: tool, arguments: "" } }];
  return `data: ${JSON.stringify({ choices: [{ delta: { tool_calls }, finish_reason: "tool_calls" }] })}\n\ndata: [DONE]\n\n`;
}

function messages(tool: string): string {
  const started = { content: [{ type: "tool_use", id: "c", name: tool, input: {} }], stop_reason: "tool_use" };
  const events = [{ type: "message_start", message: started }, { type: "message_stop" }];
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}
