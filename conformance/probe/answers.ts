// Makes of a step of a scenario the answer of the provider that the program asks, with calls of the tools that it declares.

import { isObject } from "../kit/wire/shared/json.ts";
import type { ProbePart, ProbeStep } from "../../schemas/types.ts";
import type {
  ProviderCodec,
  ScriptedPart,
  ScriptedResponse,
  Transport,
  WireResponse,
  Write,
} from "../kit/wire/codec.ts";
import { cutAnswer } from "../kit/wire/cut-response.ts";
import { isStreamed } from "../kit/wire/transport.ts";
import { dummyKey } from "../traffic/record/environment.ts";
import { anyTool, argumentsFor, requiredKey, toolOf } from "./roles.ts";
import type { DeclaredTool, FoundTool, RoleNames } from "./roles.ts";

/** A call that the scripted model made. */
export interface MadeCall {
  /** Counted from 1 in the scenario. */
  number: number;
  id: string;
  tool: string;
  role: FoundTool["role"] | "unknown";
  /** The file that exists, or has a line for each time, if it was executed; absent where nothing shows it. */
  mark?: string;
}

/** What a request is answered with. */
export interface Answer {
  wire: WireResponse;
  calls: MadeCall[];
  /** What it says, for those who judge what comes back. */
  parts: ScriptedPart[];
  /** How long each piece of it takes, in milliseconds. Absent: no time. */
  pauseMs?: number;
}

/** What a step needs to become an answer. */
export interface AnswerContext extends RoleNames {
  codec: ProviderCodec;
  transport: Transport;
  tools: readonly DeclaredTool[];
  model: string;
  body: unknown;
  /** How many answers and calls there were before. */
  answers: number;
  calls: number;
  /** The file that the n-th call of the scenario leaves. */
  markOf(call: number): string;
}

/** The scenario cannot be played to this program: the message says why. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** A number that no double holds. */
export const bigNumber = "12345678901234567890";

/**
 * The answer of a step.
 * @throws NotApplicable where the program has no tool of a role, or its provider's format cannot say it
 */
export function answerOf(step: ProbeStep, context: AnswerContext): Answer {
  if (step.sends) return { wire: sentAsItIs(step.sends, context), calls: [], parts: [] };
  const calls: MadeCall[] = [];
  const scripted = (step.says ?? []).map((part) => scriptedPart(part, calls, context));
  const parts = withThought(scripted, context);
  if (step.fails !== undefined) return { wire: failure(step, parts, context), calls, parts };
  const response = responseOf(step, parts, context);
  const wire = context.codec.renderResponse(response, context.transport, context.body);
  const ordered = step.interleaved ? { ...wire, writes: interleave(wire.writes) } : wire;
  const answer = step.lost === undefined ? ordered : lose(ordered, step.lost, context, parts);
  return { wire: answer, calls, parts };
}

/** The answer with which every turn ends. */
export function closingAnswer(context: AnswerContext, text: string): Answer {
  return answerOf({ says: [{ text }] }, context);
}

function responseOf(step: ProbeStep, parts: ScriptedPart[], context: AnswerContext): ScriptedResponse {
  const { codec, model, answers } = context;
  const reasoning_tokens = codec.leeway.noThinkingTokens;
  const calls = parts.some((part) => "tool_call" in part);
  const reasons = (step.stop ?? [calls ? "tool_use" : "end_turn"]) as ScriptedResponse["stop_reason"][];
  return expressible(
    reasons.map((stop_reason) => ({
      parts,
      stop_reason,
      ...(step.raw_stop !== undefined && { raw_stop_reason: step.raw_stop }),
      model,
      id: `probe${answers + 1}`,
    })),
    reasoning_tokens,
    context,
  );
}

/**
 * The first of these answers that the format can express, with what it counts: not every one counts what it writes to a cache.
 * @throws NotApplicable if it can express none
 */
export function expressible(
  answers: readonly Omit<ScriptedResponse, "usage">[],
  reasoning_tokens: number | null,
  { codec, transport }: Pick<AnswerContext, "codec" | "transport">,
): ScriptedResponse {
  const counted = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, reasoning_tokens };
  const made = answers.flatMap((answer) =>
    [0, null].map((cache_write_tokens) => ({ ...answer, usage: { ...counted, cache_write_tokens } })),
  );
  const problems = made.map((response) => codec.canExpress(response, transport));
  const first = made[problems.indexOf(true)];
  if (first) return first;
  throw new NotApplicable(String(problems.at(-1)));
}

function scriptedPart(part: ProbePart, calls: MadeCall[], context: AnswerContext): ScriptedPart {
  if (part.text !== undefined) return { text: part.text };
  if (part.thinking !== undefined) return thinkingPart(part.thinking, context);
  const number = context.calls + calls.length + 1;
  const id = part.id ?? `call_probe_${number}`;
  if (part.call === "unknown") {
    const name = "get_wether";
    calls.push({ number, id, tool: name, role: "unknown" });
    if (part.arguments === "big_number" && context.codec.leeway.roundsNumbers.includes(context.transport))
      throw new NotApplicable(
        `arguments in an answer of ${context.codec.provider}/${context.transport} have only numbers that a double holds here`,
      );
    if (part.arguments === "big_number")
      return { tool_call: { id, name, raw_input: `{"city":"Paris","order":${bigNumber}}` } };
    return { tool_call: { id, name, input: { city: "Paris" } } };
  }
  const tool = toolFor(part, context);
  const mark = tool.role === "read" || tool.role === "safe" ? undefined : context.markOf(number);
  calls.push({ number, id, tool: tool.name, role: tool.role, ...(mark !== undefined && { mark }) });
  return { tool_call: { id, name: tool.name, ...argumentsOf(part, tool, context.markOf(number)) } };
}

const thought: ScriptedPart = { thinking: "I think before I answer." };

/** The parts as a model gives them that has to think first, where the program's does. */
export function withThought(parts: ScriptedPart[], context: Pick<AnswerContext, "codec" | "body">): ScriptedPart[] {
  const isMissing = parts.length > 0 && !parts.some((part) => "thinking" in part);
  return isMissing && mustThink(context) ? [thought, ...parts] : parts;
}

/** A model whose thinking is enabled, and not left to it, begins every answer with a thought, and its provider insists on it. */
function mustThink({ codec, body }: Pick<AnswerContext, "codec" | "body">): boolean {
  return isObject(body) && codec.leeway.mustThink(body);
}

/** Thinking goes only to a program that asked for it. */
function thinkingPart(thinking: string, { codec, body }: AnswerContext): ScriptedPart {
  if (!isObject(body) || !codec.leeway.asksToThink(body))
    throw new NotApplicable("the program does not ask for thinking that can be sent back");
  return { thinking };
}

function toolFor({ call }: ProbePart, { tools, ...names }: AnswerContext): FoundTool {
  const tool = call === "any" ? anyTool(tools, names) : toolOf(call as "read" | "write" | "shell", tools, names);
  if (tool) return tool;
  // Tools of the provider itself have no name.
  const declared = tools.flatMap(({ name }) => (name as string | undefined) ?? []).join(", ") || "none";
  const wanted = call === "any" ? "no tool that reads, writes or runs commands" : `no ${call} tool`;
  throw new NotApplicable(`${wanted} is recognised among the tools of the program: ${declared}`);
}

type Arguments = { input: Record<string, unknown> } | { raw_input: string };

function argumentsOf({ arguments: kind = "whole", does }: ProbePart, tool: FoundTool, mark: string): Arguments {
  // A file that does not exist is all that is ever read.
  const file = tool.role === "read" ? `${mark}-does-not-exist` : mark;
  const input = argumentsFor(tool, { file, content: "probe\n", command: commandFor(does, mark) });
  if (kind === "whole" || kind === "big_number") return { input };
  if (kind === "extra") return { input: { ...input, probe_extra: "probe" } };
  const key = requiredKey(tool);
  if (kind === "cut" || key === undefined) return { raw_input: cutText(JSON.stringify(input)) };
  const { [key]: _, ...others } = input;
  return { input: kind === "missing" ? others : { ...others, [key]: { probe: ["wrong"] } } };
}

/** A text of JSON that ends before its end, inside of its last string where it has one. */
function cutText(text: string): string {
  return text.slice(0, Math.max(2, text.length - 4));
}

/** All that a shell is ever asked to do: to leave the mark, and to print or to wait. */
function commandFor(does: ProbePart["does"], mark: string): string {
  const leave = `echo probe >> '${mark}'`;
  const then: Record<NonNullable<ProbePart["does"]>, string> = {
    mark: "echo done",
    wait: "sleep 25",
    huge: "head -c 3000000 /dev/zero | tr '\\0' x",
    empty: "",
    binary: "printf 'a\\0b\\001\\033[31m\\177'",
    not_utf8: "printf '\\377\\376caf\\351'",
  };
  const more = then[does ?? "mark"];
  return more === "" ? leave : `${leave}; ${more}`;
}

/** The ids of a failed answer, which the codecs give every one alike. */
const faultId = /(?<=(?:msg|resp|rs|fc)_|chatcmpl-)fault/g;

function failure(step: ProbeStep, after: ScriptedPart[], { codec, transport, answers }: AnswerContext): WireResponse {
  const fault = {
    kind: step.fails!,
    message: withKey(step.message ?? "probe failure"),
    after,
    ...(step.retry_after_ms !== undefined && { retry_after_ms: step.retry_after_ms }),
  };
  const can = codec.canExpress(fault, transport);
  if (can !== true) throw new NotApplicable(can);
  const wire = codec.renderFault(fault, transport);
  // Each answer has ids of its own, as every provider's has.
  const writes = wire.writes.map((write) => ({
    ...write,
    text: write.text.replaceAll(faultId, `fault${answers + 1}`),
  }));
  return { ...wire, writes };
}

/** A text of a scenario in which the key stands that the program was given. */
export function withKey(text: string): string {
  return text.replaceAll("{key}", dummyKey);
}

function sentAsItIs(
  { status, content_type, text }: NonNullable<ProbeStep["sends"]>,
  context: AnswerContext,
): WireResponse {
  const error = context.codec.renderFault({ kind: "server_error", message: "probe failure", after: [] }, "json");
  const written = text.replace("{error}", error.writes.map((write) => write.text).join(""));
  return { status, headers: { "content-type": content_type }, writes: [{ text: written }] };
}

/** The answer as far as it is sent before the connection is lost. */
export function lose(
  wire: WireResponse,
  lost: NonNullable<ProbeStep["lost"]>,
  { codec, transport }: Pick<AnswerContext, "codec" | "transport">,
  parts: readonly ScriptedPart[] = [],
): WireResponse {
  if (lost === "before_headers") return { ...wire, writes: [], reset: true };
  if (lost === "in_text" && isStreamed(transport)) return loseInText(wire, parts);
  if (lost !== "in_call" || !isStreamed(transport))
    return cutAnswer(wire, lost === "before_end" ? "before_end" : "mid_stream", codec);
  const last = wire.writes.findLastIndex(({ completes_part }) => completes_part !== undefined);
  return { ...wire, writes: wire.writes.slice(0, Math.max(1, last)), reset: true };
}

/** Only the piece comes with which the text begins. */
function loseInText(wire: WireResponse, parts: readonly ScriptedPart[]): WireResponse {
  const [text = ""] = parts.flatMap((part) => ("text" in part ? part.text : []));
  const first = wire.writes.findIndex((write) => text !== "" && write.text.includes(text.slice(0, 8)));
  return { ...wire, writes: wire.writes.slice(0, first + 1), reset: true };
}

/** The pieces of the last two parts in turn; each says itself to which call it belongs. */
function interleave(writes: readonly Write[]): Write[] {
  const ends = writes.flatMap(({ completes_part }, at) => (completes_part === undefined ? [] : [at]));
  const [before, middle, end] = [ends.at(-3) ?? ends[0]! - 1, ends.at(-2), ends.at(-1)];
  if (middle === undefined || end === undefined || middle === end) return [...writes];
  const start = ends.length > 2 ? before + 1 : beginOfParts(writes, middle);
  const [one, other] = [writes.slice(start, middle + 1), writes.slice(middle + 1, end + 1)];
  const mixed = Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [one[at], other[at]]).flat();
  return [...writes.slice(0, start), ...mixed.filter((write) => write !== undefined), ...writes.slice(end + 1)];
}

/** Where the first part begins: its writes are as many as those of the second, which is alike. */
function beginOfParts(writes: readonly Write[], middle: number): number {
  const call = writes.findIndex(({ text }) => /call_probe_|toolu_/.test(text));
  return call < 0 || call > middle ? middle : call;
}
