// Drafts a conformance case of the last run in recorded traffic: its input, the model's answers, its outcome.

import { readFileSync } from "node:fs";
import type {
  Case,
  Fixture,
  Handler,
  Message,
  ModelEntry,
  ModelResponse,
  ScriptedPart,
  Tool,
  ToolResultMessage,
} from "../../../schemas/types.ts";
import { checkSession } from "../../../reference/state/check-session.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { validate } from "../../kit/base/validate.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import { conversationOf, linksOf } from "./chains.ts";
import type { ReadableExchange } from "./chains.ts";
import { readExchanges } from "./read-exchange.ts";

/** What a draft is given beside the traffic. */
export interface DraftOptions {
  title: string;
  requires: string;
}

/**
 * A case that a correct loop passes: the script is what was recorded, the expectation what the spec makes of it. Thinking of earlier
 * turns and seals are left out, so that it runs on every provider.
 * @throws UsageError if the fixture kept no request of a run that was answered
 */
export async function draftCase(file: string, fixture: Fixture, { title, requires }: DraftOptions): Promise<Case> {
  const run = await lastRun(file, fixture);
  const [first] = run as [ReadableExchange, ...ReadableExchange[]];
  const results = run.flatMap(({ request }) => request.messages.filter(isResult));
  const responses = run.map(({ answer }) => answer.messages.filter(isPortable));
  const tools = first.request.tools.filter(({ input_schema }) => typeof input_schema === "object");
  const names = new Names(responses.flat());
  const outputs = new Map(results.map((result) => [result.id, result]));
  const { system } = first.request;
  const provider = responses.flat().some(({ type }) => type === "provider_item") ? first.provider : undefined;
  const draft: Case = {
    title,
    since: "1.0",
    requires: [requires],
    why: [{ text: `Drafted from ${file}.` }],
    given: {
      ...(system !== undefined && { instructions: system }),
      messages: first.request.messages.filter(isPlain),
      ...(tools.length > 0 && { tools: tools as Tool[], handlers: handlersOf(tools, responses.flat(), outputs) }),
      options: { max_turns: run.length },
    },
    model: run.map((exchange, at) => entryOf(exchange, responses[at]!, names)),
    expect: {
      status: statusOf(run.at(-1)!),
      session: run.flatMap(({ answer }, at) => {
        const executed = rowsOf(answer).calls.do === "execute" ? outputs : undefined;
        return expected(responses[at]!, executed, tools, names);
      }),
    },
    ...(provider && { variants: { seams: ["wire"], providers: [provider] } }),
  };
  refuseIfWrong(file, draft);
  return draft;
}

/** Traffic of a run that no correct loop would begin, or of what no case can say, makes no case. */
function refuseIfWrong(file: string, draft: Case): void {
  const session = { spec_version: "1.0", id: "draft", messages: draft.given.messages };
  const [problem] = [...validate("Case", draft), ...checkSession(session, { toStart: true })];
  if (problem) throw new UsageError(`${file}: no case can be made of it: ${problem.pointer} ${problem.message}`);
}

/** The exchanges of the last run: each but the first brings nothing but results. */
async function lastRun(file: string, fixture: Fixture): Promise<ReadableExchange[]> {
  const exchanges = await readExchanges(fixture);
  const links = linksOf(exchanges);
  const last = exchanges.findLast(
    ({ request, answer }) => request && answer && !answer.error && answer.messages.length > 0,
  );
  if (!last) throw new UsageError(`${file} has no request with an answer that a case could be made of`);
  const conversation = conversationOf(last as ReadableExchange, links);
  const begins = conversation.findLastIndex((exchange, at) => {
    const before = conversation[at - 1]?.request.messages.length ?? 0;
    return exchange.request.messages.slice(before).some(({ role }) => role === "user");
  });
  return conversation.slice(Math.max(begins, 0));
}

/** Gives each call of the run a name that the kit fills with a random id. */
class Names {
  readonly #names = new Map<string, string>();

  constructor(messages: readonly Message[]) {
    for (const message of messages) {
      if (message.type === "tool_call") this.#names.set(message.id, `$call_${this.#names.size + 1}`);
    }
  }

  of(id: string): string {
    return this.#names.get(id) ?? id;
  }
}

function entryOf({ answer }: ReadableExchange, messages: readonly Message[], names: Names): ModelEntry {
  const usual = messages.some(({ type }) => type === "tool_call") ? "tool_use" : "end_turn";
  const { stop_reason, raw_stop_reason } = answer;
  const stop = stop_reason === usual ? {} : { stop_reason };
  const raw = stop_reason === "other" && raw_stop_reason != null ? { raw_stop_reason } : {};
  return { respond: messages.map((message) => partOf(message, names)), ...stop, ...raw };
}

function partOf(message: Message, names: Names): ScriptedPart {
  switch (message.type) {
    case "thinking":
      return { thinking: message.content };
    case "tool_call": {
      const { id, name, input, raw_input = "" } = message;
      return { tool_call: { id: names.of(id), name, ...(input ? { input } : { raw_input }) } };
    }
    case "provider_item":
      return { provider_item: message.item };
    default:
      return { text: textOf(message) };
  }
}

/** What an answer says in words. */
function textOf(message: Message): string {
  return message.role === "assistant" ? message.content : "";
}

type DeclaredTool = Pick<Tool, "name">;

/** What each tool answers, in the order of its calls. */
function handlersOf(
  tools: readonly DeclaredTool[],
  messages: readonly Message[],
  outputs: ReadonlyMap<string, ToolResultMessage>,
): Record<string, Handler> {
  const handlers = tools.map(({ name }): [string, Handler] => {
    const calls = messages.flatMap((message) =>
      message.type === "tool_call" && message.name === name ? [message.id] : [],
    );
    const sequence = calls.map((id) => handlerOf(outputs.get(id)));
    const isOne = new Set(sequence.map((handler) => JSON.stringify(handler))).size <= 1;
    return [name, isOne ? (sequence[0] ?? handlerOf(undefined)) : { sequence }];
  });
  return Object.fromEntries(handlers);
}

/** A call of which the recording has no result is answered too. */
function handlerOf(result: ToolResultMessage | undefined): Handler {
  if (!result) return { output: "(not recorded)" };
  return { output: result.output, ...(result.is_error && { is_error: true }) };
}

/** What a response adds to the session: its messages, and behind them the results of its calls, with `outputs` if they are executed. */
function expected(
  messages: readonly Message[],
  outputs: ReadonlyMap<string, ToolResultMessage> | undefined,
  tools: readonly DeclaredTool[],
  names: Names,
): Record<string, unknown>[] {
  const own = messages.map((message): Record<string, unknown> => {
    if (message.type === "tool_call")
      return { type: "tool_call", id: names.of(message.id), name: verbatim(message.name) };
    if (message.type === "thinking") return { type: "thinking", content: verbatim(message.content) };
    if (message.type === "provider_item") return { type: "provider_item" };
    return { role: "assistant", content: verbatim(textOf(message)) };
  });
  const results = messages.flatMap((message) => {
    if (message.type !== "tool_call") return [];
    const result = { type: "tool_result", id: names.of(message.id) };
    const runs = message.input !== null && tools.some(({ name }) => name === message.name);
    const { output } = handlerOf(outputs?.get(message.id));
    return [typeof output === "string" && outputs && runs ? { ...result, output: verbatim(output) } : result];
  });
  return [...own, ...results];
}

/** How the run ends: as the table of stop reasons says, or at its limit of turns if the loop would continue. */
function statusOf({ answer }: ReadableExchange): NonNullable<Case["expect"]["status"]> {
  const rows = rowsOf(answer);
  const row = answer.messages.some(({ type }) => type === "tool_call") ? rows.calls : rows.no_calls;
  return (row.do === "finish" ? row.status : row.do === "fail" ? "error" : "max_turns") as "completed";
}

function rowsOf({ stop_reason }: ModelResponse): StopRows {
  const table = JSON.parse(readFileSync(packagePath("spec/stop-table.json"), "utf8")) as Record<string, StopRows>;
  return table[stop_reason]!;
}

interface StopRows {
  calls: { do: string; status?: string };
  no_calls: { do: string; status?: string };
}

/** A `$` at the beginning of an expected string would be a matcher or a name. */
function verbatim(text: string): string {
  return text.startsWith("$") ? `$${text}` : text;
}

function isResult(message: Message): message is ToolResultMessage {
  return message.type === "tool_result";
}

/** Sealed thinking without a text is nothing that a script could say. */
function isPortable(message: Message): boolean {
  return message.type !== "thinking" || message.content !== "";
}

function isPlain({ type }: Message): boolean {
  return type !== "thinking" && type !== "provider_item";
}
