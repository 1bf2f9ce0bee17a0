// What the kit must know of a provider's wire format, written apart from the reference's adapters. Types only.

import type {
  ErrorKind,
  Message,
  ModelResponse,
  ModelSettings,
  OutputFormat,
  Tool,
  ToolChoice,
} from "../../../schemas/types.ts";

export type ProviderName = "anthropic-messages" | "openai-chat" | "openai-responses";
export type Transport = "json" | "sse";

/** A scripted answer after ids and words were filled in: what the model says, in generic terms. */
export interface ScriptedResponse {
  parts: ScriptedPart[];
  stop_reason: ModelResponse["stop_reason"];
  raw_stop_reason?: string;
  usage: NonNullable<ModelResponse["usage"]>;
  model: string;
  /** Unique in the run; the response's own id on the wire is made from it. */
  id: string;
}

export type ScriptedPart =
  | { text: string }
  | { thinking: string; signature?: string; redacted?: boolean }
  | { tool_call: { id?: string; name: string; input?: Record<string, unknown>; raw_input?: string } }
  | { provider_item: Record<string, unknown> };

/** A scripted failure of a model call. */
export interface ScriptedFault {
  kind: ErrorKind;
  message: string;
  retry_after_ms?: number;
  /** What the model had said before it failed; only a stream can say it. */
  after: ScriptedPart[];
}

/** One write of the server. After `part` writes the kit may fire an action or hold the stream. */
export interface Write {
  text: string;
  /** What is written in place of `text`, where it is not the UTF-8 of a text: half a letter. */
  bytes?: Uint8Array;
  /** Names the gate before which the write waits. */
  hold?: string;
  /** Set on the last write of the n-th scripted part, counted from 1. */
  completes_part?: number;
}

/** What the provider server sends. `reset` closes the socket after the last write, without ending the body; without writes, before the headers. */
export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  writes: Write[];
  reset?: boolean;
}

/** A request of the driver, read back into generic terms. */
export interface GenericRequest {
  /** Leading system messages, joined with a blank line; absent if there are none. */
  system?: string;
  /** The rest, normalized: see `normalize`. */
  messages: Message[];
  tools: Pick<Tool, "name" | "description" | "input_schema">[];
  model: string;
  stream: boolean;
  /** What the fields of the request say of the settings; absent if they say nothing. A field that no setting means is left out. */
  settings?: ModelSettings;
  /** Absent if the request says nothing of it: the provider's default is auto. */
  tool_choice?: ToolChoice;
  /** Where the format has no name for it, the name is "output". */
  output_format?: OutputFormat;
}

/** A request of the run that was answered, as a server that keeps conversations stores it. */
export interface AnsweredRequest {
  /** Its body. */
  request: unknown;
  /** What it was answered. */
  wire: WireResponse;
}

/** A rule of the provider that a request breaks, and how the real API says so. */
export interface RuleBreach {
  /** Id of the rule, for example anthropic-messages/tool-result-first. */
  rule: string;
  /** The requirement of the spec that a correct implementation would have kept. */
  requirement: string;
  message: string;
  status: number;
  body: unknown;
}

/** A rule of the provider, as it can be listed and explained. */
export interface RuleDescription {
  /** For example anthropic-messages/tool-result-first. */
  id: string;
  /** What the provider asks, in one sentence. */
  statement: string;
  /** The requirement of the spec that an implementation keeps by keeping the rule. */
  requirement: string;
  /** Where the provider documents it. */
  docs: string;
  /** The HTTP status with which a request that breaks the rule is answered. */
  status: number;
  /** Where documentation and what servers were seen to do disagree. */
  note?: string;
}

export interface ProviderCodec {
  readonly provider: ProviderName;
  /** Appended to `http://127.0.0.1:PORT/<run>` to make the base URL that the official SDK takes. */
  readonly basePath: string;
  /** The path of a model call below the base URL. */
  readonly endpoint: string;
  /** Whether the provider can keep a conversation, so that a request has only what is new. */
  readonly keepsConversations?: true;
  /** `true`, or why this format and transport cannot say it. */
  canExpress(response: ScriptedResponse | ScriptedFault, transport: Transport): true | string;
  /**
   * Writes the answer as the provider does. `request` is the body of the request that it answers; some formats write more when
   * they are asked to (OpenAI Chat's usage chunk). Without it, everything is written.
   */
  renderResponse(response: ScriptedResponse, transport: Transport, request?: unknown): WireResponse;
  renderFault(fault: ScriptedFault, transport: Transport): WireResponse;
  /** The rules that `checkRequest` knows. */
  readonly rules: readonly RuleDescription[];
  /**
   * Every rule of the provider that the request breaks; empty if it is fine. `headers` are in lower case.
   * `sent` is what the run was answered so far, in order, without failures: some rules are about what came back of it
   * (thinking in a tool turn, an ending in an assistant message). Without it those rules are not applied.
   * `earlier` is what the run was asked and answered so far, for formats in which a request may leave out what the server keeps.
   */
  checkRequest(
    body: unknown,
    headers: Record<string, string>,
    sent?: readonly ScriptedResponse[],
    earlier?: readonly AnsweredRequest[],
  ): RuleBreach[];
  /**
   * A check of requests that come one after the other, with nothing known of what was sent. It finds what `checkRequest` finds; of a
   * request that goes on as one before it looks only at what is new.
   */
  createCheck(): (body: unknown, headers: Record<string, string>) => RuleBreach[];
  /**
   * Reads a request that broke no rule, with what it leaves out because the server keeps it. The messages are in normal form: compare
   * them with `normalize`, after `alignIds`.
   */
  readRequest(body: unknown, earlier?: readonly AnsweredRequest[]): GenericRequest;
  /**
   * The generic messages that a correct adapter makes of an answer that this format can express. Ids are as the provider gave them.
   * `request` is as for `renderResponse`.
   */
  readResponse(response: ScriptedResponse, request?: unknown): Message[];
  /**
   * What a correct adapter's request, read back with `readRequest`, says for these generic messages:
   * the same messages less what this format cannot carry (is_error, thinking of others, …), in normal form.
   * `from` is the model that the run asks, for the rule that thinking goes back only to its maker.
   * What an adapter may choose is written as a mark: another id or name for one that the format does not allow, a text for an error
   * without one, a text that says whose an image is. `alignIds` of `shared/normal-form.ts` puts the same marks into what was read,
   * so that the two lists can be compared as they are.
   */
  normalize(messages: Message[], from: { provider: string; model: string }): { system?: string; messages: Message[] };
}
