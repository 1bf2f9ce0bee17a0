// What Google's SDK makes of an answer of Gemini, and what the adapter does, in one form.

import { GoogleGenAI } from "@google/genai";
import type { Message } from "../../../../../schemas/types.ts";
import type { RecordedFormat } from "../../recorded-format.ts";
import type { Fields } from "../../recording.ts";
import { wire } from "./wire.ts";

export const format: RecordedFormat = {
  wire,
  readWithSdk,
  // The SDK has no class for what it refuses.
  isRefusal: () => true,
  readMessage,
  uncounted: null,
};

/** The parts, the ending and the usage of an answer, as the SDK gives them: of a stream, those of all its chunks. */
async function readWithSdk(
  streamed: boolean,
  fetch: (url: unknown, init?: RequestInit) => Promise<Response>,
): Promise<{ content: Fields[]; stop: unknown; usage: unknown }> {
  const client = new GoogleGenAI({ apiKey: "none", httpOptions: { fetch } });
  const params = { model: "recorded", contents: "-" };
  const chunks: Fields[] = [];
  if (streamed) for await (const chunk of await client.models.generateContentStream(params)) chunks.push({ ...chunk });
  else chunks.push({ ...(await client.models.generateContent(params)) });
  const candidates = chunks.flatMap((chunk): Fields[] => ((chunk.candidates ?? []) as Fields[]).slice(0, 1));
  const usage = Object.assign({}, ...chunks.map(({ usageMetadata }) => usageMetadata)) as Record<string, number>;
  const feedback = chunks.map(({ promptFeedback }) => (promptFeedback as Fields | undefined)?.blockReason);
  return {
    content: joined(candidates.flatMap(({ content }) => ((content as Fields | undefined)?.parts ?? []) as Fields[])),
    stop: candidates.findLast(({ finishReason }) => finishReason)?.finishReason ?? feedback.find(Boolean) ?? null,
    usage: {
      input: sumOf(usage.promptTokenCount, usage.toolUsePromptTokenCount),
      output:
        sumOf(usage.candidatesTokenCount, usage.thoughtsTokenCount) ??
        (usage.promptTokenCount === undefined ? null : 0),
    },
  };
}

/** A message of the adapter as the parts that it stands for. */
function readMessage(message: Message): Fields[] {
  const { signature, signature_apart: _apart, beside } = ("opaque" in message && message.opaque) || ({} as Fields);
  const signed = signature === undefined ? {} : { thoughtSignature: signature };
  if (message.role === "assistant") return [{ text: message.content, ...signed }];
  if (message.type === "thinking") return [{ text: message.content, thought: true, ...signed }];
  if (message.type === "provider_item") return [message.item];
  if (message.type !== "tool_call") return [];
  const { id, name, input } = message;
  return [
    {
      ...(beside as Fields | undefined),
      functionCall: { ...(id !== "" && { id }), name, args: input ?? {} },
      ...signed,
    },
  ];
}

/** The parts with texts that follow each other as one, up to a signature. */
function joined(parts: Fields[]): Fields[] {
  const all: Fields[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const isText =
      typeof part.text === "string" &&
      Object.keys(part).every((key) => ["text", "thought", "thoughtSignature"].includes(key));
    const goesOn =
      isText && last && typeof last.text === "string" && !last.thoughtSignature && last.thought === part.thought;
    if (goesOn) all[all.length - 1] = { ...last, ...part, text: `${String(last.text)}${String(part.text)}` };
    else if (!isText || part.text !== "" || part.thoughtSignature !== undefined) all.push(withArgs(part));
  }
  return all.filter((part) => part.text !== "" || part.thoughtSignature !== undefined);
}

function withArgs(part: Fields): Fields {
  const { functionCall } = part as { functionCall?: Fields };
  return functionCall ? { ...part, functionCall: { ...functionCall, args: functionCall.args ?? {} } } : part;
}

function sumOf(...counts: (number | undefined)[]): number | null {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}
