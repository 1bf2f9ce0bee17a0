// The HTTP server that plays the provider to one program in one scenario, in the format that it asks for, and keeps every exchange.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Exchange } from "../../schemas/types.ts";
import { requestBody } from "../kit/base/json-layout.ts";
import { createServer } from "../kit/base/node-http.ts";
import type { GenericRequest, ProviderCodec, Transport, WireResponse, Write } from "../kit/wire/codec.ts";
import { codecs } from "../kit/wire/codecs.ts";
import { fixtureResponse } from "../kit/wire/fixture-bytes.ts";
import { bytesOf, transportAskedFor } from "../kit/wire/transport.ts";
import { writeResponse } from "../kit/wire/write-response.ts";
import { wholeBody } from "../kit/wire/whole-body.ts";
import { keptHeaders, withoutKeys } from "../traffic/fixture/kept-headers.ts";
import { providerOf } from "../traffic/record/routes.ts";
import { ConversationFilter, isNamedBeside, sideAnswer, sideKindOf, sideModelAnswer } from "./side-requests.ts";
import type { SideKind } from "./side-requests.ts";

/** A model call of the conversation. */
export interface ConversationRequest {
  codec: ProviderCodec;
  transport: Transport;
  body: unknown;
  generic: GenericRequest;
}

/** How a model call of the conversation is answered. */
export interface Played {
  wire: WireResponse;
  /** Called after the n-th write; the rest is sent when it resolves. */
  afterWrite?(count: number): Promise<unknown> | void;
  /** Called before the only write of an answer. */
  beforeEnd?(): Promise<unknown> | void;
}

/** What the server was asked, in order. */
export interface SeenExchange {
  exchange: Exchange;
  /** The body as it came. */
  text: string;
  /** Absent for a model call of the conversation. */
  side?: SideKind;
}

/** How the server is started. */
export interface ServerOptions {
  withoutTools: boolean;
  /** Patterns of paths that the program asks beside the conversation. */
  beside?: readonly string[];
  /** Answers a model call of the conversation. */
  play(request: ConversationRequest): Played;
}

const maxBodyBytes = 64 * 1024 * 1024;

/** One program's provider. */
export class ModelServer {
  readonly #server: Server;
  readonly #options: ServerOptions;
  readonly #filter: ConversationFilter;
  /** Every exchange, in the order in which they began. */
  readonly exchanges: SeenExchange[] = [];

  private constructor(options: ServerOptions) {
    this.#options = options;
    this.#filter = new ConversationFilter(options.withoutTools);
    this.#server = createServer({ noDelay: true, requestTimeout: 0 }, (request, response) => {
      void this.#serve(request, response);
    });
  }

  /** Starts on 127.0.0.1, on a free port. */
  static async start(options: ServerOptions): Promise<ModelServer> {
    const started = new ModelServer(options);
    await new Promise<void>((resolve, reject) => {
      started.#server.once("error", reject).listen(0, "127.0.0.1", () => resolve());
    });
    return started;
  }

  /** `http://127.0.0.1:PORT` */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes every connection, and the server. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => {});
    response.on("error", () => {});
    const { method = "", url: path = "" } = request;
    const text = await readBody(request);
    if (text === undefined) return;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { played, seen } = this.#answer(method, path, text, request.headers);
    const chunks: { bytes: Uint8Array }[] = [];
    const { status, headers, reset } = played.wire;
    const note = async (write: Write) => {
      await played.beforeEnd?.();
      if (!gone.signal.aborted) chunks.push({ bytes: bytesOf(write, played.wire) });
    };
    try {
      await writeResponse(response, played.wire, {
        gone: gone.signal,
        beforeWrite: note,
        ...(played.afterWrite && { afterWrite: played.afterWrite }),
      });
    } finally {
      const isCut = reset === true || (gone.signal.aborted && !response.writableFinished);
      seen.exchange.response = fixtureResponse({ status, headers, chunks, ...(isCut && { cut: "server" }) });
    }
  }

  #answer(
    method: string,
    path: string,
    text: string,
    headers: IncomingMessage["headers"],
  ): { played: Played; seen: SeenExchange } {
    const body = parsed(text);
    const provider = providerOf(method, path);
    const exchange: Exchange = {
      ...(provider && { provider }),
      at_ms: Math.round(performance.now()),
      // As a recorder keeps it, so that no byte is lost. [RECORD-11]
      request: {
        method,
        path: withoutKeys(path),
        headers: keptHeaders(headers),
        ...(text !== "" && requestBody(text)),
      },
      response: { status: 200 },
    };
    const seen: SeenExchange = { exchange, text };
    this.exchanges.push(seen);
    const side = (kind: SideKind, wire: WireResponse) => {
      seen.side = kind;
      return { played: { wire }, seen };
    };
    if (isNamedBeside(path, this.#options.beside ?? []))
      return side("named by its file", sideAnswer("named by its file"));
    if (provider === undefined) return side(sideKindOf(path), sideAnswer(sideKindOf(path)));
    const codec = codecs[provider];
    const whole = wholeBody(codec, path, body);
    const transport = transportAskedFor(codec.transports, whole);
    const generic = readRequest(codec, whole);
    const kind = generic ? this.#filter.sideOf(generic) : "model call without tools";
    if (!generic || kind !== undefined) {
      const wire = sideModelAnswer(codec, transport, generic, body, this.exchanges.length);
      return side(kind ?? "model call without tools", wire);
    }
    return { played: this.#options.play({ codec, transport, body, generic }), seen };
  }
}

/** A request that cannot be read declares no tools that could be found. */
function readRequest(codec: ProviderCodec, body: unknown): GenericRequest | undefined {
  try {
    return codec.readRequest(body);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBodyBytes) request.destroy();
    });
    request.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    request.on("close", () => resolve(undefined));
  });
}
