// What a recorder keeps: exchanges on their way into the recording log, each scanned for secrets first.

import type { IncomingMessage } from "node:http";
import type { Exchange } from "../../../schemas/types.ts";
import type { Chunk } from "../../kit/wire/fixture-bytes.ts";
import { textOf } from "../../kit/wire/fixture-bytes.ts";
import { requestBody } from "../../kit/base/json-layout.ts";
import { codingProblem, decodeOf } from "./decoded-body.ts";
import { GuardedStream } from "./guarded-stream.ts";
import type { RecordingLog } from "./recording-log.ts";
import { inspectBytes } from "../fixture/binary-body.ts";
import { inspectText } from "../fixture/inspect-text.ts";
import { keptHeaders, withoutKeys } from "../fixture/kept-headers.ts";
import type { Route } from "./routes.ts";
import { replaceSecrets } from "../fixture/found-secret.ts";
import type { FoundSecret } from "../fixture/found-secret.ts";
import type { Scan } from "../fixture/secrets.ts";

/** A secret that was found, and where: what a person must know to do something about it. */
export interface Leak {
  /** Counted from 1, in the order in which the requests came. */
  exchange: number;
  place: "url" | "headers" | "request" | "response";
  kind: string;
  /** Whether it was replaced. */
  replaced: boolean;
  /** Whether the recording ends; else, where it could not be replaced, only its exchange is left out. */
  ends: boolean;
}

/** A request and the beginning of its answer. */
export interface ReceivedRequest {
  route: Route;
  method: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** When the request came, by `performance.now()`. */
  receivedAt: number;
  answer: IncomingMessage;
}

/** An answer on its way. */
export interface OpenExchange {
  /** Of the exchange, counted from 1. */
  number: number;
  /** Takes a piece; a promise means that there is no room for more before it resolves. */
  push(chunk: Buffer): Promise<void> | undefined;
  end(cut: "client" | "server" | undefined): Promise<void>;
}

export interface RecordingOptions {
  log: RecordingLog;
  scan: Scan;
  /** Whether secrets are replaced; else the first one ends the recording. */
  redact: boolean;
  /** Whether bytes are kept of which it cannot be said whether a secret is in them. */
  allowUnscanned?: boolean;
  /** Called with each secret that is found. */
  onLeak(leak: Leak): void;
  /** Called with an upstream of which an exchange is missing, and why, as in `could not be reached`. */
  onFailure(route: Route, error: Error): void;
}

type Content = Pick<NonNullable<Exchange["request"]>, "body" | "layout" | "base64">;

/** How many bytes may wait to be looked through before the answer is held up. */
const maxWaiting = 4 * 1024 * 1024;

/** @see RECORD-1, RECORD-2, RECORD-3 */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #began = performance.now();
  #exchanges = 0;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  failed(route: Route, error: Error): void {
    this.#options.onFailure(route, error);
  }

  /** Begins an exchange: a request whose answer has started. */
  begin(received: ReceivedRequest): OpenExchange {
    const exchange = (this.#exchanges += 1);
    const responseBegan = performance.now();
    /** When the last piece came: a client that has it may ask on. */
    let lastCame = responseBegan;
    const stream = this.#guard(exchange, received.route);
    const coding = received.answer.headers["content-encoding"];
    const decode = decodeOf(coding);
    let waiting = 0;
    let isKept = decode !== undefined;
    const lose = (reason: string) => {
      isKept = false;
      this.failed(received.route, new Error(reason));
    };
    if (!isKept) lose(codingProblem(coding));
    /** Does a part of the writing; one that breaks is the end of the exchange in the log, not of the recorder. */
    const write = async (part: () => Promise<void>) => {
      if (!isKept) return;
      try {
        await part();
      } catch (thrown) {
        lose(`answered, but the exchange could not be written down: ${(thrown as Error).message}`);
      }
    };
    let line = write(async () => void (isKept = await this.#keepRequest(exchange, received)));
    return {
      number: exchange,
      push: (bytes) => {
        lastCame = performance.now();
        const at_ms = Math.round((lastCame - responseBegan) * 10) / 10;
        waiting += bytes.length;
        line = line.then(async () => {
          await write(async () => {
            const plain = await decode!(bytes).catch(() => lose(codingProblem(coding)));
            if (plain && plain.length > 0) await stream.push({ bytes: plain, at_ms });
          });
          waiting -= bytes.length;
        });
        return waiting > maxWaiting ? line : undefined;
      },
      end: async (cut) => {
        await line;
        await write(async () => {
          await stream.end();
          if (!stream.stopped) this.#options.log.end(exchange, lastCame - this.#began, cut);
        });
      },
    };
  }

  /** Writes the request down; false where it holds a secret that may not be replaced, or what cannot be looked through. */
  async #keepRequest(
    exchange: number,
    { route, method, headers, body, receivedAt, answer }: ReceivedRequest,
  ): Promise<boolean> {
    const path = await this.#clean(exchange, "url", withoutKeys(route.path));
    const sent = await this.#headers(exchange, headers);
    const answered = await this.#headers(exchange, answer.headers);
    const content = await this.#requestBody(exchange, route, body, headers["content-encoding"]);
    if (path === undefined || !sent || !answered || content === undefined) return false;
    const { provider, upstream } = route;
    this.#options.log.begin(exchange, {
      ...(provider !== undefined && { provider }),
      ...(provider?.startsWith(upstream.name) !== true && { upstream: upstream.name }),
      at_ms: receivedAt - this.#began,
      request: { method, path, headers: sent, ...content },
      status: answer.statusCode ?? 502,
      headers: answered,
    });
    return true;
  }

  /** The headers that are kept, without secrets. */
  async #headers(exchange: number, headers: IncomingMessage["headers"]): Promise<Record<string, string> | undefined> {
    const clean: Record<string, string> = {};
    for (const [name, value] of Object.entries(keptHeaders(headers))) {
      const text = await this.#clean(exchange, "headers", value);
      if (text === undefined) return undefined;
      clean[name] = text;
    }
    return clean;
  }

  async #requestBody(
    exchange: number,
    route: Route,
    bytes: Buffer,
    coding: string | undefined,
  ): Promise<Content | undefined> {
    if (bytes.length === 0) return {};
    const text = textOf(bytes);
    if (text === undefined || bytes.includes(0)) return this.#binaryBody(exchange, route, bytes, coding);
    const clean = await this.#clean(exchange, "request", text);
    if (clean === undefined) return undefined;
    return requestBody(clean);
  }

  /** Bytes as they are: there is no place in them where a secret could be replaced. @see RECORD-6, RECORD-7 */
  async #binaryBody(
    exchange: number,
    route: Route,
    bytes: Buffer,
    coding: string | undefined,
  ): Promise<Content | undefined> {
    const { scan, redact, allowUnscanned = false } = this.#options;
    const { secret, unscanned } = await inspectBytes(bytes, scan, coding);
    if (secret !== undefined) {
      this.#leak({ exchange, place: "request", kind: secret, replaced: false, ends: !redact });
      return undefined;
    }
    if (unscanned !== undefined && !allowUnscanned) {
      this.failed(route, new Error(unscannedProblem("was sent a body", unscanned)));
      return undefined;
    }
    return { base64: bytes.toString("base64") };
  }

  /** A text without its secrets; nothing where it has some and they may not, or cannot, be replaced. */
  async #clean(exchange: number, place: Leak["place"], text: string): Promise<string | undefined> {
    const { scan, redact } = this.#options;
    const { visible, hidden } = await inspectText(text, scan);
    if (visible.length === 0 && hidden === undefined) return text;
    const clean = redact && hidden === undefined ? withoutSecretsIn(text, visible) : undefined;
    const replaced = clean !== undefined;
    const kinds = new Set([...visible.map(({ kind }) => kind), ...(hidden === undefined ? [] : [hidden])]);
    for (const kind of kinds) this.#leak({ exchange, place, kind, replaced, ends: !redact });
    return clean;
  }

  #guard(exchange: number, route: Route): GuardedStream {
    const { scan, redact, log, allowUnscanned = false } = this.#options;
    return new GuardedStream({
      scan,
      redact,
      allowUnscanned,
      onFinding: (kind, replaced) => this.#leak({ exchange, place: "response", kind, replaced, ends: !redact }),
      onUnscanned: (reason) => this.failed(route, new Error(unscannedProblem("answered with a body", reason))),
      write: (chunks: Chunk[]) => log.chunks(exchange, chunks),
    });
  }

  #leak(leak: Leak): void {
    if (leak.replaced) this.#options.log.redacted(leak.kind);
    this.#options.onLeak(leak);
  }
}

/** The text with its secrets replaced; nothing where it was JSON, and would be none any more. */
function withoutSecretsIn(text: string, found: readonly FoundSecret[]): string | undefined {
  const clean = replaceSecrets(text, found);
  return isJson(text) && !isJson(clean) ? undefined : clean;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unscannedProblem(what: string, reason: string): string {
  return `${what} that is ${reason}, so that nobody can say whether a secret is in it; the exchange was left out. If none is, record with --allow-unscanned`;
}
