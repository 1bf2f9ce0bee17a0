// Reads a file of any format as a conversation, and says what of it has no place there.

import type { Fixture, Message, Part, Session, ThinkingMessage } from "../../../../schemas/types.ts";
import type { GenericRequest, ProviderName } from "../../../kit/wire/codec.ts";
import { codecs } from "../../../kit/wire/codecs.ts";
import { describeProblems, validate } from "../../../kit/base/validate.ts";
import { readExchanges } from "../../read/read-exchange.ts";
import { UsageError } from "../../../kit/base/usage-error.ts";
import { trajectoryProblem } from "./atif.ts";
import type { Trajectory } from "./atif.ts";
import type { Beside, Conversation, Converted, Format } from "./conversation.ts";
import { readAtif } from "./read-atif.ts";
import { renderFor } from "./write-format.ts";

export type Source = Format | "fixture";

/** @throws UsageError if the value is not of that format */
export async function readFormat(file: string, value: unknown, from: Source): Promise<Converted<Conversation>> {
  if (from === "session") return readSession(file, value);
  if (from === "fixture") return readFixtureEnd(file, value);
  if (from !== "atif") return readBody(file, value, from);
  const problem = trajectoryProblem(value);
  if (problem !== undefined) throw new UsageError(`${file} is no ATIF trajectory: ${problem}`);
  return readAtif(value as Trajectory);
}

/** What a value is, by the keys that only it has; nothing where it may be of several formats. */
export function formatOf(value: unknown): Source | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  if ("exchanges" in fields) return "fixture";
  if (String(fields["schema_version"]).startsWith("ATIF-")) return "atif";
  if ("spec_version" in fields) return "session";
  return Object.values(codecs).find(({ traffic }) => traffic.isBody(fields))?.provider;
}

function readSession(file: string, value: unknown): Converted<Conversation> {
  const problems = validate("Session", value);
  if (problems.length > 0) throw new UsageError(`${file} is no session:\n${describeProblems(problems)}`);
  const session = value as Session;
  const { request = {} } = (session.metadata ?? {}) as { request?: Beside };
  const { tools = [], model, settings } = request;
  return {
    value: { session, tools, ...(model !== undefined && { model }), ...(settings && { settings }) },
    losses: [],
  };
}

/** The body of a request. What the same format cannot be made of again is lost. */
function readBody(file: string, body: unknown, provider: ProviderName): Converted<Conversation> {
  const { value, losses } = toConversation(file, generic(file, body, provider));
  const again = renderFor(provider, value).body;
  const known = new Set([...Object.keys(again), "stream", "stream_options"]);
  const lost = Object.keys(body as object).filter((name) => !known.has(name));
  return { value, losses: [...lost.map((name) => `/${name}: not read`), ...losses] };
}

function generic(file: string, body: unknown, provider: ProviderName): GenericRequest {
  try {
    return codecs[provider].readRequest(body);
  } catch (thrown) {
    throw new UsageError(`${file} is no body of a request to ${provider}: ${(thrown as Error).message}`);
  }
}

/** The last conversation of a fixture, with its answer. */
async function readFixtureEnd(file: string, value: unknown): Promise<Converted<Conversation>> {
  const problems = validate("Fixture", value);
  if (problems.length > 0) throw new UsageError(`${file} is no fixture:\n${describeProblems(problems)}`);
  const exchanges = await readExchanges(value as Fixture);
  const last = exchanges.findLast(({ request }) => request !== undefined);
  if (!last?.request) throw new UsageError(`${file} has no request, so its conversation is not known`);
  const failed = last.answer?.error;
  const answer = failed ? [] : (last.answer?.messages ?? []);
  const losses = failed ? [`exchange ${last.number} failed (${failed.kind}); its answer is left out`] : [];
  if (exchanges.length > last.number) losses.push(`exchanges after ${last.number} have no request that can be read`);
  const read = toConversation(file, last.request, answer);
  return { value: read.value, losses: [...losses, ...read.losses] };
}

/** @throws UsageError if what was read is no session */
function toConversation(
  file: string,
  { system, messages, tools, model, settings }: GenericRequest,
  answer: readonly Message[] = [],
): Converted<Conversation> {
  const losses: string[] = [];
  const leading: Message[] = system === undefined ? [] : [{ role: "system", content: system }];
  const cleaned = [...messages.map(withSummary), ...answer].map((message) => withoutReferences(message, losses));
  const id = file.replace(/^.*\//, "").replace(/\.json$/, "") || "conversation";
  const session: Session = { spec_version: "1.0", id, messages: [...leading, ...cleaned] };
  const problems = validate("Session", session);
  if (problems.length > 0)
    throw new UsageError(`${file}: what it says is no valid session:\n${describeProblems(problems)}`);
  const own = tools.filter(({ input_schema }) => typeof input_schema === "object" && input_schema !== null);
  for (const { name } of tools.filter((tool) => !own.includes(tool)))
    losses.push(`the tool ${name} is the provider's own, and is left out`);
  const value = { session, tools: own, ...(model && { model }), ...(settings && { settings }) };
  return { value, losses };
}

/** A part that only names what a provider keeps says nothing to another one. */
function withoutReferences(message: Message, losses: string[]): Message {
  const field = message.type === "tool_result" ? "output" : "content";
  const content = (message as { content?: string | Part[]; output?: string | Part[] })[field];
  if (!Array.isArray(content)) return message;
  const whole = content.filter((part) => part.type === "text" || part.data !== undefined || part.url !== undefined);
  if (whole.length === content.length) return message;
  losses.push(`${content.length - whole.length} parts that the provider keeps under an id are left out`);
  return { ...message, [field]: whole } as Message;
}

/** Thinking of the Responses API goes back with the parts of its summary, of which the text was made. */
function withSummary(message: Message): Message {
  const { type, opaque } = message as Partial<ThinkingMessage>;
  if (type !== "thinking" || opaque?.provider !== "openai-responses" || "summary" in opaque) return message;
  const text = (message as ThinkingMessage).content;
  const summary = text === "" ? [] : [{ type: "summary_text", text }];
  return { ...(message as ThinkingMessage), opaque: { ...opaque, summary } };
}
