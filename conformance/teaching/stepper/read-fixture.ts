// Reads a fixture as what can be walked through: the adapters read what was answered, and the core goes on from it.

import type { Fixture, Message, ToolResultMessage } from "../../../schemas/types.ts";
import { conversationOf, linksOf } from "../../traffic/read/chains.ts";
import type { ReadableExchange } from "../../traffic/read/chains.ts";
import { readExchanges } from "../../traffic/read/read-exchange.ts";
import type { ReadExchange } from "../../traffic/read/read-exchange.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import { playScript } from "./play-script.ts";
import { isOfModel, runsOf } from "./script.ts";
import type { Script, Turn } from "./script.ts";
import type { Trace } from "./trace.ts";

/**
 * The last conversation of a fixture. What was asked is what was recorded, not what the core would ask.
 * @throws UsageError if no model was called in it
 */
export async function readFixtureTrace(title: string, fixture: Fixture): Promise<Trace> {
  const exchanges = (await readExchanges(fixture)).filter(({ answer }) => answer);
  const readable = exchanges.filter((exchange): exchange is ReadableExchange => exchange.request !== undefined);
  const last = readable.at(-1);
  const conversation = last ? conversationOf(last, linksOf(exchanges)) : exchanges;
  const [first] = conversation;
  if (!first) throw new UsageError(`${title} has no model call in a format that the kit knows: there is no run in it`);
  const instructions = first.request?.system;
  const prompt = first.request?.messages ?? [{ role: "user" as const, content: "(the request was not recorded)" }];
  const script: Script = {
    id: "recorded",
    agent: "main",
    options: {},
    runs: runsOf(
      prompt,
      conversation.map((exchange, at) => turnOf(exchange, conversation[at + 1])),
    ),
    ...(instructions !== undefined && { instructions }),
  };
  const others = exchanges.length - conversation.length;
  return {
    title,
    notes: [
      "Answers as recorded, read by the adapters and played on the core of the reference.",
      ...(others > 0 ? [`${others} other model calls of the recording do not belong to this conversation.`] : []),
    ],
    before: prompt,
    ...(await playScript(script)),
    requests: conversation.map(({ exchange, request }) => (request ? [exchange.request?.body] : [])),
    ...(instructions !== undefined && { instructions }),
  };
}

/** What an exchange answered, and what the next request brought with it. */
function turnOf({ answer }: ReadExchange, next: ReadExchange | undefined): Turn {
  const response = answer!;
  const calls = new Set(response.messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : [])));
  const messages = next?.request?.messages ?? [];
  const results = messages.filter(
    (message): message is ToolResultMessage => message.type === "tool_result" && calls.has(message.id),
  );
  return { response, results, later: inputAfter(messages) };
}

/** What a request has behind all that a model said and tools answered. */
function inputAfter(messages: readonly Message[]): Message[] {
  const behind = messages.findLastIndex((message) => isOfModel(message) || message.type === "tool_result");
  return messages.slice(behind + 1);
}
