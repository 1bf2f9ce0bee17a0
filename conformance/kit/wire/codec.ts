// What the kit must know of a provider's wire format, independent of the reference's adapters. Types only.

import type { JsonObject } from "./shared/json.ts";
import type { AnswerTransport, Framing } from "./transport.ts";
import type {
  ErrorKind,
  Message,
  ModelResponse,
  ModelSettings,
  OutputFormat,
  ProviderName,
  TransportName as Transport,
  Tool,
  ToolChoice,
} from "../../../schemas/types.ts";

export type { ProviderName, Transport };

/** A scripted response of the model in generic terms, with ids and placeholders filled in. */
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
  | {
      thinking: string;
      signature?: string;
      redacted?: boolean;
      /** The field in which a recorded answer had it. Absent: the one in which the format has that of a scripted one. */
      field?: string;
    }
  | {
      tool_call: { id?: string; name: string; input?: Record<string, unknown>; raw_input?: string };
      /** What a recorded answer sealed the call with; null: with nothing. Absent: with what the format gives to a scripted one. */
      signature?: string | null;
    }
  | { provider_item: Record<string, unknown> };

/** A scripted failure of a model call. */
export interface ScriptedFault {
  kind: ErrorKind;
  message: string;
  retry_after_ms?: number;
  /** The parts that were sent before the failure; only a stream can carry any. */
  after: ScriptedPart[];
  /** The id of the response that fails. Absent: all of them have the same. */
  id?: string;
}

/** One write of the server. After `part` writes the kit may fire an action or hold the stream. */
export interface Write {
  text: string;
  /** What is written instead of `text`, where that is not valid UTF-8 or only tells what the bytes say: part of a character, a frame. */
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
  /** How the events in the texts of the writes are put into bytes; absent: the texts are what is sent. */
  framing?: Framing;
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
  /** The settings in the fields of the request; absent if there are none. Fields that are no setting are left out. */
  settings?: ModelSettings;
  /** Absent if the request has none: the provider's default is auto. */
  tool_choice?: ToolChoice;
  /** Where the format has no name for it, the name is "output". */
  output_format?: OutputFormat;
  /** The body with what the request leaves out because the server keeps it; absent if it leaves nothing out. */
  whole?: unknown;
}

/** A request of the run that was answered, as a server that keeps conversations stores it. */
export interface AnsweredRequest {
  /** Its body. */
  request: unknown;
  /** The answer. */
  wire: WireResponse;
}

/** A rule of the provider that a request breaks, and the error of the real API. */
export interface RuleBreach {
  /** Id of the rule, for example anthropic-messages/tool-result-first. */
  rule: string;
  /** The requirement of the spec that a correct implementation would have kept. */
  requirement: string;
  message: string;
  status: number;
  body: unknown;
  /** Only servers of a dialect refuse the request. */
  dialect?: true;
  /** What the names of their upstreams have in them, in recordings. */
  upstreams?: readonly string[];
}

/** A rule of the provider, as it can be listed and explained. */
export interface RuleDescription {
  /** For example anthropic-messages/tool-result-first. */
  id: string;
  /** What the provider requires, in one sentence. */
  statement: string;
  /** The requirement of the spec that an implementation keeps by keeping the rule. */
  requirement: string;
  /** Where the provider documents it, or at least what it is about. */
  docs: string;
  /** That the documentation does not say that such a request is refused: then `seen` names at least one that was. */
  undocumented?: true;
  /** Requests that were seen to be refused for it. */
  seen?: readonly Sighting[];
  /** The models that it is about. Absent: all of the provider. */
  models?: string;
  /** The servers that it is about, where they are not the provider's own. */
  dialect?: string;
  /** What the names of these servers have in them, where their traffic was recorded. */
  upstreams?: readonly string[];
  /** The HTTP status with which a request that breaks the rule is answered. */
  status: number;
  /** Where documentation and what servers were seen to do disagree. */
  note?: string;
}

/** A public report of a request that was refused, with the server's own words. */
export interface Sighting {
  /** The address of the report or recording. */
  where: string;
  /** The day of the report, as YYYY-MM-DD. */
  on: string;
}

/** A host that takes requests to models, in one format or in several. */
export interface Host {
  /** The first part of the paths that lead to it through a local server: lower-case letters, digits and `-`. */
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
  /** The variables in which SDKs and tools look for its base URL. */
  readonly addressVariables: readonly string[];
  /** The variables without which SDKs refuse to start. */
  readonly keyVariables: readonly string[];
}

/** A host of somebody else that takes requests in the format of a provider, or of several. */
export interface OtherHost extends Host {
  /** As people know it. */
  readonly title: string;
  /** Its name, with its port if that is not the usual one. Where each customer or region has one of its own, `url` is one of them. */
  readonly host: RegExp;
  /** Everybody finds it at `url`. */
  readonly isFixed: boolean;
  /** What follows its address in the base URL that its own clients take. */
  readonly basePath: string;
}

/** How another host takes requests in the format of a provider, and what of the provider is not so there. */
export interface Dialect {
  readonly at: OtherHost;
  /** A path at which it takes a model call. */
  readonly path: string;
  /** The paths that it alone has; absent: those of the provider. */
  readonly routes?: readonly RegExp[];
  /** The provider's rules, without its name, that are none of this host: what they ask for is in the path, or the host does not need it. */
  readonly withoutRules?: readonly string[];
  /** Its own words for endings, and what they mean. */
  readonly endings?: Readonly<Record<string, ModelResponse["stop_reason"]>>;
  /** Fields of its answers, beside those of the format, without which it refuses the calls beside them. Rules read this. */
  readonly goesBack?: readonly string[];
  /** Where this is documented. */
  readonly docs: string;
  /** The day on which that was read, as YYYY-MM-DD. Absent: it was not, and the path was seen in recordings. */
  readonly on?: string;
  /** Recorded traffic of it was read, with this path, or one that differs from it in its names. */
  readonly recorded?: true;
}

/** What can occur in recorded traffic with a provider, so that a requirement of its chapter is kept there and not only unbroken. */
export type ProviderOccasion =
  | "request"
  | "declared_tools"
  | "result"
  | "call"
  | "batch"
  | "interleaved_calls"
  | "sealed_call"
  | "sealed_thinking"
  | "blank_text"
  | "unreadable_arguments"
  | "provider_item"
  | "long_call_id"
  | "ping";

/** What is known of a provider's traffic beside what requests and answers mean. */
export interface ProviderTraffic {
  /** The provider's own. */
  readonly host: Host;
  /** The paths, without queries, at which model calls in its format are taken, by itself and by most others. */
  readonly routes: readonly RegExp[];
  /** Other hosts that take its format; absent if none are known. */
  readonly dialects?: readonly Dialect[];
  /** The header with which a client shows its key. */
  keyHeader(key: string): Record<string, string>;
  /** The headers that the provider insists on, beside those of the key and of the content. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers, in lower case, that a recording keeps: they say how a request is meant, and hold no key. */
  readonly keptHeaders: readonly string[];
  /** The body of the answer to a request that the provider refuses with this status. */
  errorBody(status: number, message: string): { error: object };
  /** The fields of `error` in that body, beside its message. */
  readonly errorFields: readonly string[];
  /** With what the ending of a streamed answer begins. */
  readonly ending: RegExp;
  /** In which short form a case may write an event of its streams; absent if in none. */
  readonly shortEvent?: "named" | "delta";
  /** Of which calls an event of a stream, as a value, has pieces of the arguments: a value that is different for each call. */
  callsIn(event: JsonObject): unknown[];
  /** Whether a body is certainly one of this format, and of no other. */
  isBody(fields: JsonObject): boolean;
  /** The prefix of the requirements in its chapter: `CHAT` of `CHAT-14`. */
  readonly chapter: string;
  /** Which requirements of its chapter requests show, by number, and what must have occurred for each. */
  readonly occasions: Readonly<Record<number, ProviderOccasion>>;
  /** The head of the first column in the tables of its chapter that map the words for endings. */
  readonly endingsHead: string;
}

/** Where a provider's requests may differ from those of the spec's own loop, and what its answers depend on: for loops and programs of others. */
export interface ProviderLeeway {
  /** The field of a body that has the conversation, entry by entry. */
  readonly conversation: string;
  /** The field of an entry whose items are calls and results, where the entries themselves are not. */
  readonly items?: string;
  /** The ids of the calls in an entry or item. */
  callsOf(item: JsonObject): unknown[];
  /** The id of the call that an entry or item answers; undefined if it answers none. */
  answeredBy(item: JsonObject): unknown;
  /** A result may be anywhere after its call, not only directly after the response. */
  readonly resultsAnywhere?: true;
  /** The first call of an answer has the signature for all of them, so that their order is not the program's to choose. */
  readonly firstCallIsSigned?: true;
  /** Instructions have a field of their own, and are not at the beginning of the conversation. */
  readonly instructionsApart?: true;
  /** What was complete of an answer that broke off may be sent back. */
  readonly keepsItemsOfLost?: true;
  /** It takes half of a surrogate pair in a request: no rule refuses one. */
  readonly takesHalfLetters?: true;
  /** Whether the request asks for thinking that can be sent back. */
  asksToThink(body: JsonObject): boolean;
  /** Whether the answer to the request must begin with a thought. */
  mustThink(body: JsonObject): boolean;
  /** The count of thinking tokens in an answer without thinking: some clients refuse an answer without it. */
  readonly noThinkingTokens: 0 | null;
  /** The names of tools that it takes as they are. */
  readonly toolName: RegExp;
  /** The transports in which arguments are JSON values, so that a double must be able to hold their numbers. */
  readonly roundsNumbers: readonly Transport[];
}

export interface ProviderCodec {
  readonly provider: ProviderName;
  readonly traffic: ProviderTraffic;
  readonly leeway: ProviderLeeway;
  /** How its answers travel; one of them is `json`. */
  readonly transports: readonly AnswerTransport[];
  /** Appended to `http://127.0.0.1:PORT/<run>` to make the base URL that the official SDK takes. */
  readonly basePath: string;
  /** The path of a model call below the base URL; where it depends on the request, that of one. */
  readonly endpoint: string;
  /** Where it depends on the request: the paths, with what differs in braces. */
  readonly endpoints?: readonly string[];
  /**
   * For a format in which the path has fields of the request, the model for example: these fields, which are then part of the body
   * in every function here. `target` is the path with its query. Undefined where no model call is taken there.
   */
  readTarget?(target: string): JsonObject | undefined;
  /** Whether the provider can keep a conversation, so that a request has only what is new. */
  readonly keepsConversations?: true;
  /** `true`, or why this format and transport cannot express it. */
  canExpress(response: ScriptedResponse | ScriptedFault, transport: Transport): true | string;
  /**
   * Writes the answer as the provider does. `request` is the body of the request that it answers; some formats write more on
   * request (OpenAI Chat's usage chunk). Without it, everything is written.
   */
  renderResponse(response: ScriptedResponse, transport: Transport, request?: unknown): WireResponse;
  renderFault(fault: ScriptedFault, transport: Transport): WireResponse;
  /** The rules that `checkRequest` knows. */
  readonly rules: readonly RuleDescription[];
  /**
   * Every rule of the provider that the request breaks; empty if it is fine. `headers` are in lower case.
   * `sent` has the responses of the run so far, in order, without failures: some rules are about what a request sends back of them
   * (thinking in a tool turn, an assistant message at the end). Without it those rules are not applied.
   * `earlier` has the requests and answers of the run so far, for formats in which a request may leave out what the server keeps.
   */
  checkRequest(
    body: unknown,
    headers: Record<string, string>,
    sent?: readonly ScriptedResponse[],
    earlier?: readonly AnsweredRequest[],
  ): RuleBreach[];
  /**
   * A check of consecutive requests for which the responses are not known. It finds what `checkRequest` finds; of a request that
   * extends an earlier one it checks only what is new.
   */
  createCheck(): (body: unknown, headers: Record<string, string>) => RuleBreach[];
  /**
   * Reads a request that broke no rule, with what it leaves out because the server keeps it. The messages are in normal form: compare
   * them with `normalize`, after `alignIds`.
   */
  readRequest(body: unknown, earlier?: readonly AnsweredRequest[]): GenericRequest;
  /**
   * The generic messages that a correct adapter makes of a response that this format can express. Ids are those of the provider.
   * `request` is as for `renderResponse`.
   */
  readResponse(response: ScriptedResponse, request?: unknown): Message[];
  /**
   * What `readRequest` reads from a correct adapter's request with these generic messages: the same messages without what this
   * format cannot carry (is_error, thinking of other models, …), in normal form.
   * `from` is the model of the run, for the rule that thinking is sent back only to the model that produced it.
   * What an adapter may choose is a mark: another id or name for one that the format does not allow, a text for an error without
   * one, a text that introduces an image. `alignIds` of `shared/normal-form.ts` puts the same marks into what was read, so that the
   * two lists can be compared.
   */
  normalize(messages: Message[], from: { provider: string; model: string }): { system?: string; messages: Message[] };
}
