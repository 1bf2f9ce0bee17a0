// Checks how the adapters read recorded answers: valid, as the SDK reads them, and the same however the bytes are cut.

import type { StreamEvent } from "../../../reference/core/ports.ts";
import { providers } from "../../../reference/providers/registry.ts";
import { type Codec, receive } from "../../../reference/providers/shared/receive.ts";
import type { Message, ModelResponse } from "../../../schemas/types.ts";
import { describeProblems, validate } from "../../kit/base/validate.ts";
import { canonical, contrast, type Difference } from "./difference.ts";
import { answerOf, bytesOf, modelOf, type RecordedExchange, type Recording } from "./recording.ts";
import { readResponse, readWithSdk } from "./sdk-reading.ts";

/** What was counted. */
export interface ResponseCounts {
  json: number;
  streamed: number;
  failed: number;
  compared: number;
  refusedBySdk: number;
  readAnyway: number;
  splits: number;
  differences: Difference[];
}

const splitsPerStream = 200;

export function codecOf({ provider }: Recording): Codec {
  return providers[provider].codec;
}

/** Checks every answer of a recording. `random` gives numbers in [0, 1). */
export async function checkResponses(
  recording: Recording,
  random: () => number,
  counts: ResponseCounts,
): Promise<void> {
  for (const [at, exchange] of recording.exchanges.entries()) {
    const report = (kind: string, detail: string) =>
      counts.differences.push({ file: recording.file, exchange: at + 1, kind, detail });
    const first = await read(recording, exchange);
    const { response } = first;
    checkValid(response, report);
    if (response.error) counts.failed += 1;
    if (exchange.response.sse === undefined) counts.json += 1;
    else {
      counts.streamed += 1;
      checkEvents(first.events, response.messages, report);
      await checkSplits(recording, exchange, canonical(first), random, counts, report);
    }
    await checkAgainstSdk(recording, exchange, response, counts, report);
  }
}

interface OpenMessage {
  response: ModelResponse;
  events: StreamEvent[];
}

async function read(recording: Recording, exchange: RecordedExchange, sizes?: number[]): Promise<OpenMessage> {
  const events: StreamEvent[] = [];
  const call = {
    signal: new AbortController().signal,
    onStream: (event: StreamEvent) => events.push(event),
    warn() {},
  };
  const response = await receive(answerOf(exchange, sizes), codecOf(recording), modelOf(exchange), call);
  return { response: structuredClone(response), events: structuredClone(events) };
}

type Report = (kind: string, detail: string) => void;

/** Valid but for ids that the provider did not give, which the loop makes. */
function checkValid(response: ModelResponse, report: Report): void {
  const messages = response.messages.map((message) =>
    message.type === "tool_call" && message.id === "" ? { ...message, id: "made" } : message,
  );
  const problems = validate("ModelResponse", { ...response, messages });
  if (problems.length > 0) report("response/invalid", describeProblems(problems));
  const failed = response.stop_reason === "error" || response.stop_reason === "interrupted";
  if (failed !== (response.error !== undefined)) report("response/untyped-error", canonical(response).slice(0, 200));
  const strange = response.messages.find(
    (message) => message.role === "user" || message.type === "tool_result" || message.role === "system",
  );
  if (strange) report("response/invalid", `a response has ${canonical(strange)}`);
}

/** Each message that streams starts once, ends once with what the response has, and its pieces are its text. */
function checkEvents(events: StreamEvent[], messages: Message[], report: Report): void {
  const ended: Message[] = [];
  const open = new Map<number, string>();
  for (const event of events) {
    if (event.type === "message_start") open.set(event.index, "");
    else if (!open.has(event.index)) report("events/order", canonical(event));
    else if (event.type === "message_delta") open.set(event.index, open.get(event.index) + event.delta);
    else {
      const openMessage = open.get(event.index);
      open.delete(event.index);
      ended.push(event.message);
      const text = "content" in event.message ? event.message.content : undefined;
      if (text !== undefined && text !== openMessage) report("events/pieces", contrast(text, openMessage));
    }
  }
  if (open.size > 0) report("events/order", `${open.size} messages were started and not ended`);
  const sort = (list: unknown[]) => list.map((entry) => withoutLateFields(entry)).toSorted();
  if (canonical(sort(ended)) !== canonical(sort(messages)))
    report("events/messages", contrast(sort(messages), sort(ended)));
}

/** The container, the text at which the model stopped, and the id by which some servers know a call, come only at the end of a stream, after the messages were emitted. */
function withoutLateFields(message: unknown): string {
  const { opaque, ...rest } = message as { opaque?: Record<string, unknown> };
  const { container: _container, stop_sequence: _stop, call_id: _callId, ...kept } = opaque ?? {};
  const named = Object.keys(kept).length > 2 ? { ...rest, opaque: kept } : rest;
  return canonical(named);
}

async function checkSplits(
  recording: Recording,
  exchange: RecordedExchange,
  expected: string,
  random: () => number,
  counts: ResponseCounts,
  report: Report,
): Promise<void> {
  const { bytes } = bytesOf(exchange);
  const cuts = Array.from({ length: splitsPerStream }, (_, at) => randomSizes(bytes.length, 2 + (at % 8) * 8, random));
  const recorded = exchange.response.chunk_sizes;
  for (const sizes of recorded ? [recorded, ...cuts] : cuts) {
    counts.splits += 1;
    const again = canonical(await read(recording, exchange, sizes));
    if (again === expected) continue;
    report("response/split", `cut into ${sizes.join(", ")}: ${contrast(JSON.parse(expected), JSON.parse(again))}`);
    return;
  }
}

function randomSizes(length: number, pieces: number, random: () => number): number[] {
  const ends = Array.from({ length: pieces - 1 }, () => Math.floor(random() * length)).toSorted((a, b) => a - b);
  return ends.map((end, at) => end - (ends[at - 1] ?? 0));
}

async function checkAgainstSdk(
  recording: Recording,
  exchange: RecordedExchange,
  response: ModelResponse,
  counts: ResponseCounts,
  report: Report,
): Promise<void> {
  const { provider } = recording;
  const sdk = await readWithSdk(provider, exchange.response.sse !== undefined, () => answerOf(exchange));
  if ("refuses" in sdk) {
    counts.refusedBySdk += 1;
    if (response.error) return;
    counts.readAnyway += 1;
    return checkAgainstTerminalEvent(recording, exchange, response, report);
  }
  counts.compared += 1;
  if (response.error)
    report("sdk/accepts", `the SDK accepts what the adapter takes for an error: ${response.error.message}`);
  const ours = readResponse(provider, response);
  for (const part of ["content", "stop", "usage"] as const) {
    if (canonical(ours[part]) !== canonical(sdk[part])) report(`sdk/${part}`, contrast(sdk[part], ours[part]));
  }
}

/** Where no SDK reads a stream, the event that ends it says once more what was streamed, if it says it at all. */
function checkAgainstTerminalEvent(
  recording: Recording,
  { response: { sse = "" } }: RecordedExchange,
  response: ModelResponse,
  report: Report,
): void {
  if (recording.provider !== "openai-responses") return;
  const whole = terminalResponse(sse);
  if (!whole) return;
  const ended = readResponse(recording.provider, codecOf(recording).parseResponse(whole, "recorded"));
  const ours = readResponse(recording.provider, response);
  if (canonical(ours.content) !== canonical(ended.content))
    report("terminal/content", contrast(ended.content, ours.content));
}

/** The response in the last event of a stream; undefined where it has no output. */
function terminalResponse(sse: string): object | undefined {
  for (const line of sse.split(/\r\n|\r|\n/).toReversed()) {
    if (!line.startsWith("data:")) continue;
    try {
      const { type, response } = JSON.parse(line.slice("data:".length)) as { type?: string; response?: Ended };
      const isLast = type === "response.completed" || type === "response.incomplete";
      if (isLast) return response?.output && response.output.length > 0 ? response : undefined;
    } catch {
      // [DONE], or a line that is no event of its own.
    }
  }
  return undefined;
}

interface Ended {
  output?: unknown[];
}
