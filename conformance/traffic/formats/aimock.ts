// Reads the fixture files of aimock: what the model says under a condition. The answers are written as a provider would write them.
// @see https://github.com/CopilotKit/aimock

import type { Exchange } from "../../../schemas/types.ts";
import type { ProviderName, ScriptedPart, ScriptedResponse, Transport } from "../../kit/wire/codec.ts";
import { fixtureResponse } from "../../kit/wire/fixture-bytes.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { bytesOf } from "../../kit/wire/transport.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import { providerError } from "../fixture/provider-error.ts";
import { Fields, isObject } from "./fields.ts";
import { Losses } from "./losses.ts";
import type { Imported } from "./to-fixture.ts";

/** Whose format the answers get: the file names none. */
export interface AimockOptions {
  provider: ProviderName;
  transport: Transport;
}

type Response = Exchange["response"];

/** @throws FixtureError if it is no fixture file of aimock, or if nothing in it is said by a chat model */
export function readAimock(file: string, text: string, { provider, transport }: AimockOptions): Imported {
  const losses = new Losses(["the conditions under match are not compared: the answers come in the order of the file"]);
  const exchanges = new Fields(parsed(file, text), file).list("fixtures").flatMap((entry, at): Exchange[] => {
    for (const name of entry.names) if (name !== "match" && name !== "response") losses.add(`${name} is left out`);
    const answer = new Answer(entry, at, { provider, transport }, losses);
    const response = answer.response;
    return response === undefined ? [] : [{ provider, request: null, response }];
  });
  if (exchanges.length === 0)
    throw new FixtureError([`${file}: nothing in it is an answer of a chat model`, ...losses.words].join("\n"));
  const why = `imported from ${file} of aimock`;
  return { fixture: { fixture: 1, origin: "crafted", why, exchanges }, losses: losses.words };
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new FixtureError(`${file}: expected a fixture file of aimock in JSON, but ${(thrown as Error).message}`);
  }
}

/** What a response says that a provider would say too. */
const known = new Set([
  "content",
  "toolCalls",
  "blocks",
  "reasoning",
  "reasoningSignature",
  "redactedThinking",
  "usage",
  "finishReason",
  "model",
  "id",
  "error",
  "status",
  "retryAfter",
]);

const stopReasons: Record<string, ScriptedResponse["stop_reason"]> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "content_filter",
};

/** One entry of the file. */
class Answer {
  readonly #match: Record<string, unknown>;
  readonly #response: Fields;
  readonly #number: number;
  readonly #format: AimockOptions;
  readonly #losses: Losses;

  constructor(entry: Fields, at: number, format: AimockOptions, losses: Losses) {
    const match = entry.raw("match");
    this.#match = isObject(match) ? match : {};
    this.#response = entry.object("response");
    this.#number = at + 1;
    this.#format = format;
    this.#losses = losses;
  }

  /** The response of a fixture; nothing where no chat model says such a thing. */
  get response(): Response | undefined {
    const { endpoint = "chat" } = this.#match;
    if (endpoint !== "chat") return this.#leaveOut(`of the endpoint ${String(endpoint)}`);
    if (isObject(this.#response.raw("error"))) return this.#failure();
    const parts = this.#parts();
    if (parts.length === 0) return this.#leaveOut("that is no answer of a chat model");
    for (const name of this.#response.names)
      if (!known.has(name)) this.#losses.add(`${name} of a response is left out`);
    return this.#render(parts);
  }

  #leaveOut(what: string): undefined {
    this.#losses.count(`${what}, which is left out`);
  }

  /** As the provider would write it; where its format cannot say all of it, what it can. */
  #render(parts: ScriptedPart[]): Response | undefined {
    const { provider, transport } = this.#format;
    const sorted = parts.toSorted((one, other) => rank(one) - rank(other));
    const ways: [parts: ScriptedPart[], lost?: string][] = [
      [parts],
      [sorted, "the order of thoughts, text and calls is not kept"],
      [sorted.filter((part) => !("thinking" in part)), "reasoning is left out"],
    ];
    let why = "";
    for (const [candidate, lost] of ways) {
      const scripted = this.#scripted(candidate);
      const expressible = candidate.length === 0 ? why : codecs[provider].canExpress(scripted, transport);
      if (expressible === true) {
        if (lost !== undefined) this.#losses.count(`of which ${lost}: ${why}`);
        const wire = codecs[provider].renderResponse(scripted, transport);
        const { status, headers } = wire;
        const chunks = wire.writes.map((write) => ({ bytes: bytesOf(write, wire) }));
        return fixtureResponse({ status, headers, chunks });
      }
      why = expressible;
    }
    return this.#leaveOut(`that ${provider} cannot say (${why})`);
  }

  #scripted(parts: ScriptedPart[]): ScriptedResponse {
    const finish = this.#response.raw("finishReason");
    const usage = this.#response.raw("usage");
    const model = this.#response.raw("model") ?? this.#match["model"];
    const calls = parts.some((part) => "tool_call" in part);
    const id = this.#response.raw("id");
    if (finish !== undefined && !(String(finish) in stopReasons))
      this.#losses.add(`the finishReason ${String(finish)} is not known and left out`);
    return {
      parts,
      stop_reason: stopReasons[String(finish)] ?? (calls ? "tool_use" : "end_turn"),
      usage: usageOf(isObject(usage) ? usage : {}),
      model: typeof model === "string" ? model : "aimock",
      id: typeof id === "string" ? id : `aimock-${this.#number}`,
    };
  }

  /** What is said, in order: thoughts, then blocks as they stand, or the text before the calls. */
  #parts(): ScriptedPart[] {
    const redacted = this.#listed("redactedThinking").map((data): ScriptedPart => {
      return { thinking: "", signature: String(data), redacted: true };
    });
    const blocks = this.#listed("blocks");
    const parts = blocks.length > 0 ? blocks.flatMap((block, at) => this.#block(block, at)) : this.#textAndCalls();
    return [...this.#thinking(), ...redacted, ...parts];
  }

  #thinking(): ScriptedPart[] {
    const thinking = this.#response.raw("reasoning");
    const signature = this.#response.raw("reasoningSignature");
    if (typeof thinking !== "string") return [];
    return [{ thinking, ...(typeof signature === "string" && { signature }) }];
  }

  #textAndCalls(): ScriptedPart[] {
    const content = this.#response.raw("content");
    const text = typeof content === "object" ? JSON.stringify(content) : String(content ?? "");
    const calls = this.#listed("toolCalls").map((call, at) => this.#call(call, at));
    return [...(text === "" ? [] : [{ text }]), ...calls];
  }

  #block(block: unknown, at: number): ScriptedPart[] {
    if (!isObject(block)) return [];
    if (block["type"] === "toolCall") return [this.#call(block, at)];
    return typeof block["text"] === "string" ? [{ text: block["text"] }] : [];
  }

  #call(call: unknown, at: number): ScriptedPart {
    const fields = new Fields(call, `fixture ${this.#number}, tool call ${at + 1}`);
    const id = fields.raw("id") ?? `call_${this.#number}_${at + 1}`;
    const given = fields.raw("arguments");
    const input = typeof given === "string" ? objectIn(given) : given;
    const args = isObject(input) ? { input } : { raw_input: String(given ?? "") };
    return { tool_call: { id: String(id), name: fields.text("name"), ...args } };
  }

  #failure(): Response {
    const { provider } = this.#format;
    const error = this.#response.object("error");
    const status = Number(this.#response.raw("status") ?? 500);
    const retryAfter = this.#response.raw("retryAfter");
    const headers = retryAfter === undefined ? {} : { headers: { "retry-after": String(retryAfter) } };
    const form = providerError(provider, status, error.text("message")) as { error: object };
    const fields = codecs[provider].traffic.errorFields;
    const extras = fields.flatMap((name) => (error.raw(name) === undefined ? [] : [[name, error.raw(name)]]));
    return { status, ...headers, body: { ...form, error: { ...form.error, ...Object.fromEntries(extras) } } };
  }

  #listed(name: string): unknown[] {
    const list = this.#response.raw(name);
    return Array.isArray(list) ? list : [];
  }
}

/** Where a part stands in the formats that have one order. */
function rank(part: ScriptedPart): number {
  return "thinking" in part ? 0 : "text" in part ? 1 : 2;
}

/** Counts under the names of any provider. */
function usageOf(usage: Record<string, unknown>): ScriptedResponse["usage"] {
  const count = (...names: string[]) =>
    names.map((name) => usage[name]).find((value) => typeof value === "number") ?? 0;
  return {
    input_tokens: count("input_tokens", "prompt_tokens", "promptTokenCount"),
    output_tokens: count("output_tokens", "completion_tokens", "candidatesTokenCount"),
    cache_read_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
  };
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
