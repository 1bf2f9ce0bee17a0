// Replays recorded tool loops through the loop: the same answers, the same results, and so the same requests.

import { agentLoop, defineTool } from "../../../reference/index.ts";
import { providers } from "../../../reference/providers/registry.ts";
import type { Send } from "../../../reference/providers/shared/about-provider.ts";
import type { ToolOutput } from "../../../reference/core/ports.ts";
import type { Message, Session, ToolResultMessage } from "../../../schemas/types.ts";
import { canonical, contrast, type Difference } from "./difference.ts";
import { answerOf, type Fields, modelOf, type RecordedExchange, type Recording } from "./recording.ts";
import { formats } from "./known-formats.ts";
import { codecOf } from "./responses.ts";
import { type Entry, lastUserMessages, resultsOf, type WireFormat } from "./wire-form.ts";

/** What was replayed. */
export interface ChainCounts {
  replayed: number;
  skipped: number;
  requests: number;
  differences: Difference[];
}

/** Replays every chain that has a tool loop, or whose conversation the server keeps. */
export async function checkChains(recordings: Recording[]): Promise<ChainCounts> {
  const counts: ChainCounts = { replayed: 0, skipped: 0, requests: 0, differences: [] };
  for (const recording of recordings) {
    const wire = formats[recording.provider]?.wire;
    for (const chain of recording.analysis.chains ?? []) {
      if (wire && chain.some((at) => ["tool", "prev"].includes(linkOf(recording, at) ?? "")))
        await replayChain(recording, chain, wire, counts);
      else counts.skipped += 1;
    }
  }
  return counts;
}

function linkOf({ analysis }: Recording, at: number): string | undefined {
  return analysis.links?.[at]?.[1];
}

/** A chain is one run for each turn of the user; a retry begins anew. */
async function replayChain(
  recording: Recording,
  chain: number[],
  wire: WireFormat,
  counts: ChainCounts,
): Promise<void> {
  const runs: number[][] = [];
  for (const at of chain) {
    const last = runs.at(-1);
    if (last && linkOf(recording, at) === "tool" && !saysMore(recording, at, wire)) last.push(at);
    else runs.push([at]);
  }
  const chained = chain.some((at) => isContinued(recording, at));
  counts.replayed += 1;
  let session: Session | undefined;
  for (const [index, run] of runs.entries()) {
    const next = chained ? runs[index + 1]?.[0] : undefined;
    const first = bodyOf(recording, run[0]!);
    if (!first) {
      session = undefined;
      continue;
    }
    const goesOn = session !== undefined && (linkOf(recording, run[0]!) === "turn" || isContinued(recording, run[0]!));
    const messages: Message[] = goesOn
      ? [...session!.messages, ...lastUserMessages(wire.read(first))]
      : wire.read(first);
    const begun: Session = { spec_version: "1.0", id: recording.file, messages };
    session = await replayRun(recording, { run, next, chained }, begun, wire, counts);
  }
}

/** Whether a request names the response that it continues, and leaves out what was before. */
function isContinued(recording: Recording, at: number): boolean {
  return Boolean(bodyOf(recording, at)?.previous_response_id);
}

/** Whether a request that continues a response has more than the results of its calls. */
function saysMore(recording: Recording, at: number, wire: WireFormat): boolean {
  return isContinued(recording, at) && lastUserMessages(wire.read(bodyOf(recording, at)!)).length > 0;
}

/** Which exchanges make a run; the one after it, if that has results of its last calls; and who keeps the conversation. */
interface ReplayedRun {
  run: number[];
  next: number | undefined;
  chained: boolean;
}

function bodyOf(recording: Recording, at: number): Fields | undefined {
  return recording.exchanges[at]?.request?.body as Fields | undefined;
}

/** Runs the loop on the recorded answers and compares what it asks. Returns the session after it. */
async function replayRun(
  recording: Recording,
  { run, next, chained }: ReplayedRun,
  session: Session,
  wire: WireFormat,
  counts: ChainCounts,
): Promise<Session> {
  const exchanges = run.map((at) => recording.exchanges[at]!);
  const sent: unknown[] = [];
  const send: Send = async ({ body }) => {
    sent.push(JSON.parse(JSON.stringify(body)));
    const answered = exchanges[sent.length - 1];
    if (!answered) throw new Error(`the loop asked ${sent.length} times, where ${exchanges.length} are recorded`);
    return answerOf(answered);
  };
  const [first] = exchanges;
  const model = modelOf(first!);
  const settings = { model, transport: first!.response.sse === undefined ? "json" : "sse" } as const;
  const { store = true } = (first!.request?.body ?? {}) as Fields;
  const kept = { conversation: chained ? "server" : "stateless", request: { store } } as const;
  const isKept = recording.provider === "openai-responses";
  const provider = providers[recording.provider].createOver(send, { ...settings, ...(isKept && kept) });
  const tools = namesOf(recording, exchanges, wire).map((name) =>
    defineTool({
      name,
      input_schema: { type: "object" },
      execute: (_input, context) => answers.take(context.turn, context.call.id),
    }),
  );
  const after = next === undefined ? [] : [recording.exchanges[next]!];
  const answers = createAnswers([...exchanges, ...after], wire, chained);
  const started = agentLoop({ provider, session, model, tools, options: { max_turns: run.length } });
  const result = await started.result;
  const report = (at: number, kind: string, detail: string) =>
    counts.differences.push({ file: recording.file, exchange: at + 1, kind, detail });
  if (sent.length !== run.length) {
    const why = `${sent.length} of ${run.length} requests were made; the run ended ${result.status}: ${result.error?.message ?? ""}`;
    report(run[sent.length] ?? 0, "chain/ends-early", why);
  }
  const continued = await started.session;
  for (const [index, body] of sent.entries()) {
    const recorded = bodyOf(recording, run[index]!);
    if (!recorded) continue;
    counts.requests += 1;
    compare(wire.entries(recorded), wire.entries(body as Fields), (kind, detail) => report(run[index]!, kind, detail));
  }
  return continued;
}

/** The tools that are declared, and those that are called anyway. */
function namesOf(recording: Recording, exchanges: RecordedExchange[], wire: WireFormat): string[] {
  const declared = exchanges.flatMap(({ request }) => wire.toolNames((request?.body ?? {}) as Fields));
  const called = exchanges.flatMap(({ response }) => {
    const body = response.sse === undefined ? codecOf(recording).parseResponse(response.body, "recorded").messages : [];
    return body.flatMap((message) => (message.type === "tool_call" ? message.name : []));
  });
  return [...new Set([...declared, ...called])];
}

/** What the client answered to the calls of each turn: by the id of the call, or, where ids were made up, in order. */
function createAnswers(exchanges: RecordedExchange[], wire: WireFormat, chained: boolean) {
  const known = exchanges.map(({ request }) => resultsOf(wire.read((request?.body ?? { messages: [] }) as Fields)));
  const results = known.slice(1).map((all, at) => (chained ? all : all.slice(known[at]!.length)));
  const used = new Set<ToolResultMessage>();
  return {
    take(turn: number, id: string): ToolOutput {
      const open = (results[turn - 1] ?? []).filter((result) => !used.has(result));
      const result = open.find((candidate) => candidate.id === id) ?? open[0];
      if (!result) return "This result was not recorded.";
      used.add(result);
      return { output: result.output, ...(result.is_error && { is_error: true }) };
    },
  };
}

/** Compares what two requests say, and each kind of thing apart, so that one difference does not hide another. */
function compare(recorded: Entry[], sent: Entry[], report: (kind: string, detail: string) => void): void {
  const same = new Set<string>();
  for (const kind of new Set([...recorded, ...sent].map((entry) => entry.kind))) {
    const of = (entries: Entry[]) => entries.filter((entry) => entry.kind === kind).map(({ says }) => says);
    if (canonical(of(recorded)) === canonical(of(sent))) same.add(kind);
    else report(`request/${kind}`, contrast(of(recorded), of(sent)));
  }
  const order = (entries: Entry[]) => entries.filter(({ kind }) => same.has(kind));
  if (canonical(order(recorded)) !== canonical(order(sent)))
    report("request/order", contrast(order(recorded), order(sent)));
}
