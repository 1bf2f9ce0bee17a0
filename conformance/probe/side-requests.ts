// Recognises what a program asks beside its conversation (titles, token counts, lists of models, telemetry), and answers it harmlessly.

import type { GenericRequest, ProviderCodec, Transport, WireResponse } from "../kit/wire/codec.ts";
import { jsonHeaders } from "../kit/wire/shared/sse.ts";
import { closingAnswer } from "./answers.ts";
import { fitsPattern } from "./fits-pattern.ts";

/** What a request beside the conversation is about. */
export type SideKind =
  | "model call without tools"
  | "another conversation"
  | "token count"
  | "list of models"
  | "named by its file"
  | "other";

/**
 * Whether a model call belongs to the conversation: it declares tools, or the program has none; and they are those of the first one.
 * Programs keep notes and summaries in conversations of their own, with few of their tools.
 */
export class ConversationFilter {
  readonly #withoutTools: boolean;
  #names: ReadonlySet<string> | undefined;

  constructor(withoutTools: boolean) {
    this.#withoutTools = withoutTools;
  }

  /** What the request is about, if it is not of the conversation. */
  sideOf({ tools }: Pick<GenericRequest, "tools">): SideKind | undefined {
    if (this.#withoutTools) return undefined;
    if (tools.length === 0) return "model call without tools";
    const names = new Set(tools.map(({ name }) => name));
    this.#names ??= names;
    const common = [...names].filter((name) => this.#names?.has(name)).length;
    return common * 2 < names.size + this.#names.size - common ? "another conversation" : undefined;
  }
}

/** Whether the file of the program says that it asks this path beside the conversation. */
export function isNamedBeside(path: string, patterns: readonly string[]): boolean {
  const [bare = ""] = path.split("?", 1);
  return patterns.some((pattern) => fitsPattern(pattern, bare));
}

/** What a request is about that is no model call. */
export function sideKindOf(path: string): SideKind {
  const [bare = ""] = path.split("?", 1);
  if (/count_tokens|input_tokens/.test(bare)) return "token count";
  return /\/models(\/|$)/.test(bare) ? "list of models" : "other";
}

/** The answer to a request that is no model call: none that would lead on. */
export function sideAnswer(kind: SideKind): WireResponse {
  if (kind === "token count") return json(200, { object: "response.input_tokens", input_tokens: 10 });
  if (kind === "named by its file") return json(200, {});
  if (kind === "list of models") return json(200, { object: "list", data: [], models: [], has_more: false });
  return json(404, { type: "error", error: { type: "not_found_error", message: "a probe answers model calls only" } });
}

/** The answer to a model call beside the conversation: one line, or the least JSON that it asks for. */
export function sideModelAnswer(
  codec: ProviderCodec,
  transport: Transport,
  request: GenericRequest | undefined,
  body: unknown,
  answers: number,
): WireResponse {
  const wantsJson = request?.output_format !== undefined;
  const context = { codec, transport, body, tools: [], answers, calls: 0, model: request?.model ?? "probe" };
  const text = wantsJson ? '{"title":"Probe"}' : "Probe";
  return closingAnswer({ ...context, markOf: () => "" }, text).wire;
}

function json(status: number, body: unknown): WireResponse {
  return { status, headers: jsonHeaders, writes: [{ text: JSON.stringify(body) }] };
}
