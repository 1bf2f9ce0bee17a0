// The session of one run on the provider server: checks each request against the provider's rules, answers it, and keeps the transcript.

import type { ServerResponse } from "node:http";
import type { AnsweredRequest, ProviderCodec, RuleBreach, ScriptedResponse, WireResponse } from "./codec.ts";
import type { ProviderExchange, Reply, RunOptions } from "./provider-types.ts";
import { wholeBody } from "./whole-body.ts";
import { transportAskedFor } from "./transport.ts";
import { orGone, writeResponse } from "./write-response.ts";
import { cutterOf, isStream, joined } from "./split-stream.ts";

interface Received {
  method: string;
  path: string;
  /** The path with its query. */
  target: string;
  headers: Record<string, string>;
  text: string;
}

const keyHeaders = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-goog-api-key)$/;

export class ProviderSession {
  readonly name: string;
  /** What the driver is given, and what the provider's official SDK takes. */
  readonly baseUrl: string;
  /** Every exchange, in the order in which the requests were read. */
  readonly transcript: ProviderExchange[] = [];
  closed = false;
  readonly #options: RunOptions;
  readonly #sent: ScriptedResponse[] = [];
  readonly #earlier: AnsweredRequest[] = [];
  readonly #open = new Set<AbortController>();

  constructor(name: string, baseUrl: string, options: RunOptions) {
    this.name = name;
    this.baseUrl = baseUrl;
    this.#options = options;
  }

  /** Cuts off what is still being answered. */
  close(): void {
    this.closed = true;
    for (const controller of this.#open) controller.abort();
  }

  /** Never rejects. */
  async answer(received: Received, response: ServerResponse): Promise<void> {
    const controller = new AbortController();
    const exchange = this.#read(received, controller.signal);
    this.transcript.push(exchange);
    this.#open.add(controller);
    controller.signal.addEventListener("abort", () => {
      if (exchange.complete) return;
      exchange.aborted = true;
      response.destroy();
    });
    response.once("close", () => {
      this.#open.delete(controller);
      if (exchange.complete || exchange.aborted) return;
      controller.abort();
      this.#options.onDisconnect?.(exchange);
    });

    const answer = await this.#reply(exchange);
    if (answer === undefined || controller.signal.aborted) return;
    const { reply } = answer;
    const { split, onPiece } = this.#options;
    const isCut = split !== undefined && !reply.whole && isStream(answer.wire);
    // Writes that are counted are not joined.
    const wire = isCut && !reply.afterWrite ? joined(answer.wire) : answer.wire;
    const sent = { status: wire.status, headers: wire.headers, text: "" };
    exchange.response = sent;
    const onWrite = (text: string) => {
      sent.text += text;
    };
    const onEnd = () => {
      exchange.complete = true;
      this.#options.onAnswered?.(exchange);
    };
    const { afterPart, beforeWrite, afterWrite } = reply;
    try {
      await writeResponse(response, wire, {
        gone: controller.signal,
        ...(isCut && { cut: cutterOf(split, exchange.number), ...(onPiece && { onPiece }) }),
        onWrite,
        onEnd,
        ...(afterPart !== undefined && { afterPart: afterPart.bind(reply) }),
        ...(beforeWrite !== undefined && { beforeWrite: beforeWrite.bind(reply) }),
        ...(afterWrite !== undefined && { afterWrite: afterWrite.bind(reply) }),
      });
    } catch (error) {
      this.#options.onFailure?.(error, exchange);
      controller.abort();
    }
  }

  /** The request as far as it can be read, checked against every rule. */
  #read(received: Received, gone: AbortSignal): ProviderExchange {
    const { codec, transport, followsRequest } = this.#options;
    const parsed = parse(received.text);
    const body = parsed.valid ? parsed.value : received.text;
    const request = { method: received.method, path: received.path, headers: withoutKeys(received.headers), body };
    const exchange = { number: this.transcript.length + 1, request, aborted: false, complete: false, gone };
    const breaches = this.#breaches(received, parsed);
    if (breaches.length > 0) return { ...exchange, breaches };
    const whole = wholeBody(codec, received.target, body);
    const generic = codec.readRequest(whole, this.#earlier);
    const requested = transportAskedFor(codec.transports, whole);
    if (followsRequest || requested === transport) return { ...exchange, breaches, generic, transport: requested };
    const message = `expected a request for the transport ${transport}, as the run asks for it, got one for ${requested}`;
    return { ...exchange, breaches: [kitBreach(codec, "transport", message, "invalid_request")] };
  }

  #breaches({ method, path, target, headers }: Received, parsed: Parsed): RuleBreach[] {
    const { codec, withoutDialects } = this.#options;
    const endpoint = codec.basePath + codec.endpoint;
    if (codec.readTarget ? codec.readTarget(target) === undefined : path !== endpoint)
      return [kitBreach(codec, "endpoint", `expected a request to ${endpoint}, got ${path}`, "not_found")];
    if (method !== "POST")
      return [kitBreach(codec, "method", `expected the method POST, got ${method}`, "invalid_request")];
    if (!parsed.valid)
      return [kitBreach(codec, "json", `the request body is not valid JSON: ${parsed.message}`, "invalid_request")];
    const body = wholeBody(codec, target, parsed.value);
    const breaches = codec.checkRequest(body, headers, this.#sent, this.#earlier);
    return withoutDialects ? breaches.filter(({ dialect }) => !dialect) : breaches;
  }

  async #reply(exchange: ProviderExchange): Promise<{ reply: Reply; wire: WireResponse } | undefined> {
    const { onRequest, onBreach, onFailure, codec } = this.#options;
    const [first] = exchange.breaches;
    try {
      if (first !== undefined) {
        onBreach?.([...exchange.breaches], exchange);
        return { reply: {}, wire: jsonResponse(first.status, first.body) };
      }
      if (exchange.generic === undefined) return undefined;
      const reply = await orGone(Promise.resolve(onRequest(exchange, exchange.generic)), exchange.gone);
      if (reply === undefined) return undefined;
      const wire = this.#wire(reply, exchange);
      this.#earlier.push({ request: exchange.request.body, wire });
      return { reply, wire };
    } catch (error) {
      onFailure?.(error, exchange);
      return {
        reply: {},
        wire: codec.renderFault({ kind: "server_error", message: "the kit failed; see its report", after: [] }, "json"),
      };
    }
  }

  #wire(reply: Reply, exchange: ProviderExchange): WireResponse {
    const { codec } = this.#options;
    const { transport = this.#options.transport } = exchange;
    if (reply.wire !== undefined) return reply.wire;
    if (reply.fault !== undefined) return codec.renderFault(reply.fault, transport);
    if (reply.response === undefined)
      throw new Error("got a reply without `response`, `fault` or `wire`; give it exactly one of them");
    this.#sent.push(reply.response);
    return codec.renderResponse(reply.response, transport, exchange.request.body);
  }
}

type Parsed = { valid: true; value: unknown } | { valid: false; message: string };

function parse(text: string): Parsed {
  try {
    return { valid: true, value: JSON.parse(text) };
  } catch (error) {
    return { valid: false, message: (error as Error).message };
  }
}

/** A breach of what every provider requires, answered in the provider's format. */
function kitBreach(
  codec: ProviderCodec,
  rule: string,
  message: string,
  kind: "not_found" | "invalid_request",
): RuleBreach {
  const { status, writes } = codec.renderFault({ kind, message, after: [] }, "json");
  return {
    rule: `${codec.provider}/${rule}`,
    requirement: "DRIVER-10",
    message,
    status,
    body: JSON.parse(writes[0]?.text ?? "null"),
  };
}

function jsonResponse(status: number, body: unknown): WireResponse {
  return { status, headers: { "content-type": "application/json" }, writes: [{ text: JSON.stringify(body) }] };
}

function withoutKeys(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !keyHeaders.test(name)));
}
