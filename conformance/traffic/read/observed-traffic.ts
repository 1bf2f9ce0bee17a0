// What model traffic shows of a program, in the words of a case's expectation: its requests, the calls that it answered, what it cost.

import { readFileSync } from "node:fs";
import { costOf, sumOf as sumOfCosts } from "../../../reference/support/money.ts";
import type {
  Exchange,
  Message,
  ModelResponse,
  PriceTable,
  RunResult,
  ToolCallMessage,
  ToolResultMessage,
} from "../../../schemas/types.ts";
import { sumOf } from "../../kit/checks/result.ts";
import type { GenericRequest } from "../../kit/wire/codec.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { linksOf } from "./chains.ts";
import type { ReadableExchange } from "./chains.ts";
import { readExchanges } from "./read-exchange.ts";
import type { ReadExchange } from "./read-exchange.ts";
import { requestValue } from "../fixture/request-value.ts";

/** A call whose result the program sent. */
export type AnsweredCall = Pick<ToolCallMessage, "id" | "name" | "input"> &
  Pick<ToolResultMessage, "output" | "is_error">;

/** What was seen. */
export interface ObservedTraffic {
  /** In generic terms; null for one that cannot be read. */
  requests: (GenericRequest | null)[];
  /** The bodies, by provider. */
  wire: Record<string, unknown[]>;
  /** In the order in which their results were sent first. */
  tools: AnsweredCall[];
  result: Pick<RunResult, "turns" | "tool_calls" | "final_text" | "usage"> & { cost: string | null };
  /** The models of which it is not known what a call cost. */
  unpriced: string[];
}

/** Reads what happened. Exchanges that are no model calls, or of which no request was kept, show nothing. */
export async function observeTraffic(
  exchanges: Exchange[],
  prices: PriceTable = knownPrices(),
): Promise<ObservedTraffic> {
  const calls = (await readExchanges({ exchanges })).filter(({ provider, exchange }) => provider && exchange.request);
  const answers = calls.flatMap(({ answer }) => answer ?? []);
  const answered = answers.filter(({ error }) => !error);
  const costs = calls.map((call) => costOfCall(call, prices));
  const wire: ObservedTraffic["wire"] = {};
  for (const { provider, exchange } of calls) (wire[provider!] ??= []).push(requestValue(exchange.request));
  return {
    requests: calls.map(({ request }) => request ?? null),
    wire,
    tools: answeredCalls(calls),
    result: {
      turns: answered.length,
      tool_calls: answered.flatMap(({ messages }) => messages.filter(isCall)).length,
      final_text: textOf(answered.at(-1)),
      usage: sumOf(answers.flatMap(({ usage }) => usage ?? [])),
      cost: sumOfCosts(costs),
    },
    unpriced: [
      ...new Set(calls.filter((_, at) => costs[at] === null).map(({ model }) => model || "a model without a name")),
    ],
  };
}

/** The results that are in a request and were not in the one that it continues, each with its call. */
function answeredCalls(calls: readonly ReadExchange[]): AnsweredCall[] {
  const links = linksOf(calls);
  const seen = new Set<string>();
  return calls.flatMap(({ number }) => {
    const link = links.get(number);
    if (link?.kind !== "on") return [];
    const { before, after } = link;
    return freshResults(before, after).flatMap((result) => {
      // A repeated model call does not execute the calls again.
      const key = JSON.stringify([before.number, result.id]);
      const call = callOf(result, before, after);
      if (!call || seen.has(key)) return [];
      seen.add(key);
      const { id, output, is_error } = result;
      const { name, input } = call;
      return [{ id, name, input, output, ...(is_error !== undefined && { is_error }) }];
    });
  });
}

/** An id that a server gives out twice counts twice. */
function freshResults(before: ReadableExchange, after: ReadableExchange): ToolResultMessage[] {
  const known = before.request.messages.filter(isResult).map(({ id }) => id);
  return after.request.messages.filter(isResult).filter(({ id }) => {
    const at = known.indexOf(id);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

/** The call as the model made it; as the program repeats it, where the model gave it no id. */
function callOf(
  { id }: ToolResultMessage,
  before: ReadableExchange,
  after: ReadableExchange,
): ToolCallMessage | undefined {
  const calls = [...after.request.messages, ...before.answer.messages].filter(isCall);
  return calls.findLast((call) => call.id === id);
}

/** Nothing was used where the model did not answer and nothing was counted. */
function costOfCall({ answer, model }: ReadExchange, { models }: PriceTable): string | null {
  if (!answer || (answer.error && !answer.usage)) return "0";
  const known = [answer.model, model].find((name) => name !== undefined && Object.hasOwn(models, name));
  return known === undefined || !answer.usage ? null : costOf(answer.usage, models[known]!);
}

function textOf(answer: ModelResponse | undefined): string {
  return (answer?.messages ?? []).map((message) => (message.role === "assistant" ? message.content : "")).join("");
}

function knownPrices(): PriceTable {
  return JSON.parse(readFileSync(packagePath("reference/prices.json"), "utf8")) as PriceTable;
}

function isResult(message: Message): message is ToolResultMessage {
  return message.type === "tool_result";
}

function isCall(message: Message): message is ToolCallMessage {
  return message.type === "tool_call";
}
