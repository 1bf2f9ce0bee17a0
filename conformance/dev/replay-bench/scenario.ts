// What the servers are asked and what they answer: a small answer to a conversation of a given length.

export type Subject = "ours, rules on" | "ours, rules off" | "bare" | "aimock";

/** The role of a process: a server, or a recorder before one. */
export type Role = { serve: Subject; messages: number } | { record: string; log: string };

export const subjects: readonly Subject[] = ["ours, rules on", "ours, rules off", "bare", "aimock"];

/** The request of a conversation with so many messages. */
export function requestBody(messages: number): string {
  const conversation = Array.from({ length: messages }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `Message ${at + 1} of a conversation about the weather in Paris, Rome and Oslo.`,
  }));
  return JSON.stringify({ model: "gpt-4.1", messages: conversation });
}

export const answerBody = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_760_000_000,
  model: "gpt-4.1",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "It is 18 °C in Paris.", refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
};
