// What the folder of a provider says of it, in its `about.ts`: all that others need to know of it, so that nobody else names it.

import type { Loss } from "./losses.ts";
import type { Codec } from "./receive.ts";
import type { RenderedBody } from "./rendered-body.ts";
import type { Provider } from "../../core/ports.ts";
import type { ModelRequest, ProviderName, TransportName } from "../../../schemas/types.ts";

/** The settings that every adapter takes. What it has no use for, it ignores. */
export interface ProviderSettings {
  /** Asked where the request names no model. */
  model: string;
  api_key?: string;
  /** What the official SDK takes. */
  base_url?: string;
  /** How the answer is asked for: `json`, or one of the provider's that stream. Absent means streamed. */
  transport?: TransportName;
  /** The most tokens that one answer may have. */
  max_tokens?: number;
  /** Where the conversation is kept, for a provider that can keep one. */
  conversation?: "stateless" | "server";
  /** Fields merged into the body of every request. */
  request?: Record<string, unknown>;
}

/** One request as the adapter makes it. */
export interface SentRequest {
  /** Below the base URL that the official SDK takes. */
  path: string;
  /** As an object, or in bytes. */
  body: unknown;
  /** Beside those of the content and of the key. */
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Sends a request in place of the SDK. */
export type Send = (request: SentRequest) => Promise<Response>;

/** A request as it is rendered. With `unsupported`, it must not be sent: the format has no place for something in the session. */
export interface Rendered extends RenderedBody {
  unsupported?: string | undefined;
}

/** A provider, for those who know none by name. */
export interface AboutProvider {
  readonly name: ProviderName;
  /** Whose format it is, as a sentence: `Anthropic's Messages API.` */
  readonly purpose: string;
  /** The package of its official SDK, which it loads with its first call; absent if it needs none. */
  readonly sdk?: string;
  /** The folders of providers, beside `shared`, that it has something in common with. */
  readonly shares?: readonly string[];
  /** The name of one of its models. */
  readonly exampleModel: string;
  /** Its name in OpenTelemetry's conventions. @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/ */
  readonly traced: string;
  /** How its answers can be asked for. */
  readonly transports: readonly TransportName[];
  /** What its format cannot carry. */
  readonly losses: Readonly<Record<string, Loss>>;
  /** Reads its answers. */
  readonly codec: Codec;
  /** Renders a request as its adapter does. Pure. */
  render(request: ModelRequest, settings: Omit<ProviderSettings, "api_key" | "base_url">): Rendered;
  /** Its adapter. */
  create(settings: ProviderSettings): Provider;
  /** Its adapter without SDK, network and key: everything is sent by `send`. */
  createOver(send: Send, settings: ProviderSettings): Provider;
}
