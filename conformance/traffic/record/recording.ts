// What a recorder keeps: exchanges on their way into the recording log, each scanned for secrets first.

import type { IncomingMessage } from "node:http";
import type { Exchange } from "../../../schemas/types.ts";
import type { Chunk } from "../../kit/wire/fixture-bytes.ts";
import { textOf } from "../../kit/wire/fixture-bytes.ts";
import { saysTheSameJson } from "../../kit/base/json-tokens.ts";
import { codingProblem, decodeOf } from "./decoded-body.ts";
import { GuardedStream } from "./guarded-stream.ts";
import type { RecordingLog } from "./recording-log.ts";
import { keptHeaders, withoutKeys } from "../fixture/kept-headers.ts";
import type { Route } from "./routes.ts";
import { textsIn } from "../fixture/body-text.ts";
import { replaceSecrets } from "../fixture/secrets.ts";
import type { Finding, Scan } from "../fixture/secrets.ts";

/** A secret that was found, and where: what a person must know to do something about it. */
export interface Leak {
  /** Counted from 1, in the order in which the requests came. */
  exchange: number;
  place: "url" | "request" | "response";
  kind: string;
  /** Whether it was replaced; where it was not, the recording ends. */
  replaced: boolean;
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
  /** Called with each secret that is found. */
  onLeak(leak: Leak): void;
  /** Called with an upstream of which an exchange is missing, and why, as in `could not be reached`. */
  onFailure(route: Route, error: Error): void;
}

type Content = Pick<NonNullable<Exchange["request"]>, "body" | "base64">;

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
    const stream = this.#guard(exchange);
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
        const at_ms = Math.round((performance.now() - responseBegan) * 10) / 10;
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
          if (!stream.stopped) this.#options.log.end(exchange, cut);
        });
      },
    };
  }

  /** Writes the request down; false where it holds a secret that may not be replaced. */
  async #keepRequest(
    exchange: number,
    { route, method, headers, body, receivedAt, answer }: ReceivedRequest,
  ): Promise<boolean> {
    const path = await this.#clean(exchange, "url", withoutKeys(route.path));
    const content = await this.#requestBody(exchange, body);
    if (path === undefined || content === undefined) return false;
    const { provider, upstream } = route;
    this.#options.log.begin(exchange, {
      ...(provider !== undefined && { provider }),
      ...(provider?.startsWith(upstream.name) !== true && { upstream: upstream.name }),
      at_ms: Math.round(receivedAt - this.#began),
      request: { method, path, headers: keptHeaders(headers), ...content },
      status: answer.statusCode ?? 502,
      headers: keptHeaders(answer.headers),
    });
    return true;
  }

  async #requestBody(exchange: number, bytes: Buffer): Promise<Content | undefined> {
    if (bytes.length === 0) return {};
    const text = textOf(bytes);
    if (text === undefined) return { base64: bytes.toString("base64") };
    const clean = await this.#clean(exchange, "request", text);
    if (clean === undefined) return undefined;
    const [hiddenFinding] = await this.#options.scan(textsIn(clean).join("\n"));
    if (hiddenFinding) {
      this.#leak(exchange, "request", hiddenFinding.kind, false);
      return undefined;
    }
    return { body: saysTheSameJson(clean) ? JSON.parse(clean) : clean };
  }

  /** A text without its secrets; nothing where it has some and they may not be replaced. */
  async #clean(exchange: number, place: Leak["place"], text: string): Promise<string | undefined> {
    const { scan, redact } = this.#options;
    const findings = await scan(text);
    for (const { kind } of findings) this.#leak(exchange, place, kind, redact);
    return findings.length > 0 && !redact ? undefined : replaceSecrets(text, findings);
  }

  #guard(exchange: number): GuardedStream {
    const { scan, redact, log } = this.#options;
    return new GuardedStream({
      scan,
      replace: (text: string, findings: readonly Finding[]) => replaceSecrets(text, findings),
      onFinding: ({ kind, split }) => {
        const replaced = redact && !split;
        this.#leak(exchange, "response", kind, replaced);
        return replaced ? "replace" : "stop";
      },
      write: (chunks: Chunk[]) => log.chunks(exchange, chunks),
    });
  }

  #leak(exchange: number, place: Leak["place"], kind: string, replaced: boolean): void {
    this.#options.onLeak({ exchange, place, kind, replaced });
  }
}
