// A run on the provider server: how it is opened, its requests and its replies.

import type {
  GenericRequest,
  ProviderCodec,
  RuleBreach,
  ScriptedFault,
  ScriptedResponse,
  Transport,
  WireResponse,
  Write,
} from "./codec.ts";

/** What to answer. Exactly one of response, fault and wire is present. */
export interface Reply {
  /** Rendered by the run's codec, and kept for the rules about what later requests must send back. */
  response?: ScriptedResponse;
  fault?: ScriptedFault;
  /** Sent as it is. */
  wire?: WireResponse;
  /** Not cut into pieces, because something is to happen while it is sent. */
  whole?: true;
  /** Called when the writes of the n-th scripted part were handed to the socket; the stream continues when it resolves. */
  afterPart?(part: number): Promise<unknown> | void;
  /** Called before each write, which is made when it resolves. */
  beforeWrite?(write: Write): Promise<unknown> | void;
  /** Called after the n-th write; what follows is sent when it resolves. */
  afterWrite?(count: number): Promise<unknown> | void;
}

/** How a run is opened. */
export interface RunOptions {
  codec: ProviderCodec;
  transport: Transport;
  /** Answers each request over the transport that it asks for, whichever the run has. */
  followsRequest?: true;
  /** Answers as the provider itself does: what only servers of a dialect refuse is taken. */
  withoutDialects?: true;
  /** How streams are cut into pieces: see `cutterOf`. Absent: not at all. */
  split?: number;
  /** Called after each piece of an answer that was cut: it is still under way, though nothing may be received from the client. */
  onPiece?(): void;
  /**
   * Answers a request that broke no rule. Nothing is sent before it resolves. It is not called for a request that breaks a
   * rule. `exchange.gone` aborts when the client disconnected or the run was closed; the result of the handler is then ignored.
   */
  onRequest: RunHandler;
  /** Called when a request breaks rules; it has been, or is being, answered as the provider would. */
  onBreach?(breaches: RuleBreach[], exchange: ProviderExchange): void;
  /** Called when an answer is about to end as scripted. */
  onAnswered?(exchange: ProviderExchange): void;
  /** Called when the client disconnected before the answer was complete. Not called when the run is closed. */
  onDisconnect?(exchange: ProviderExchange): void;
  /** Called when `onRequest` threw: a fault of the kit. The request is answered with status 500. */
  onFailure?(error: unknown, exchange: ProviderExchange): void;
}

/** One request of the driver and its answer, updated while it is sent. */
export interface ProviderExchange {
  /** Counted from 1 in the run. */
  readonly number: number;
  readonly request: {
    readonly method: string;
    /** Below the run's prefix, without the query. */
    readonly path: string;
    /** In lower case, without keys. */
    readonly headers: Record<string, string>;
    /** Parsed, or the text where it is not JSON. */
    readonly body: unknown;
  };
  /** The transport that it asks for; present if it broke no rule. */
  readonly transport?: Transport;
  /** The request in generic terms; present if it broke no rule. */
  readonly generic?: GenericRequest;
  readonly breaches: readonly RuleBreach[];
  /** Present once the answer has begun. `text` is what has been written so far. */
  response?: { status: number; headers: Record<string, string>; text: string };
  /** The client disconnected, or the run was closed, before the answer was complete. */
  aborted: boolean;
  /** The answer was written whole, or cut where the script cuts it. */
  complete: boolean;
  /** Aborts when the client disconnects or the run is closed before the answer is complete. */
  readonly gone: AbortSignal;
}

/** Answers a request that broke no rule; `generic` is the request in generic terms. */
export type RunHandler = (exchange: ProviderExchange, generic: GenericRequest) => Promise<Reply> | Reply;
