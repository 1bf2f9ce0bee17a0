// The local server that answers as recorded: one tape under the root, and as many more, each under a path of its own.

import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Fixture } from "../../../schemas/types.ts";
import { createServer } from "../../kit/base/node-http.ts";
import { otherHosts } from "../../kit/wire/hosts.ts";
import { baseUrlOf } from "../record/environment.ts";
import type { OpenOptions, OpenTape } from "./open-tape.ts";
import { playAnswer } from "./play-answer.ts";
import { providerError } from "../fixture/provider-error.ts";
import { providerOf, providerUpstreams, routeOf } from "../record/routes.ts";
import type { Upstream } from "../record/routes.ts";
import { Tape } from "./tape.ts";
import type { TapeRequest } from "../fixture/incoming-request.ts";
import { modelRefusal } from "./check-sender.ts";
import { BodyReader } from "./read-body.ts";
import { maxFixtureBytes, maxTapes, TooMuchError } from "./server-limits.ts";
import { FixtureFolder } from "./fixture-folder.ts";
import { tapeRequests } from "./tape-control.ts";
import type { ControlledServer } from "./tape-control.ts";

/** What a request asks, and of whom. */
type Place = Pick<TapeRequest, "path" | "upstream" | "provider">;

/**
 * Plays tapes on 127.0.0.1.
 * @see REPLAY-5, REPLAY-7, REPLAY-12, REPLAY-15, REPLAY-19
 */
export class TapeServer implements ControlledServer {
  /** The files that a request may name. */
  readonly files: FixtureFolder;
  readonly #server: Server;
  readonly #tapes = new Map<string, OpenTape & { bytes: number }>();
  readonly #bodies = new BodyReader();
  #root: OpenTape | undefined;

  private constructor(files: FixtureFolder) {
    this.files = files;
    this.#server = createServer({ noDelay: true, requestTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
      this.#bodies.read(request, (body) => void this.#answer(request, response, body));
    });
    this.#server.on("connect", (request: IncomingMessage, socket: Duplex) => this.#refuseTunnel(request, socket));
  }

  /**
   * Starts a server.
   * @param port 0 for any free one
   * @param files those that a request may name; those below the current folder, if it is absent
   * @throws Error if the port is taken
   */
  static async start(port = 0, files = new FixtureFolder(process.cwd())): Promise<TapeServer> {
    const started = new TapeServer(files);
    await new Promise<void>((resolve, reject) => {
      started.#server.once("error", reject);
      started.#server.listen(port, "127.0.0.1", () => resolve());
    });
    return started;
  }

  /** `http://127.0.0.1:PORT` */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Plays a fixture under the root, for clients that were given no other place. */
  openRoot(fixture: Fixture, options: OpenOptions): OpenTape {
    this.#root = this.#openAt(this.origin, fixture, options);
    return this.#root;
  }

  /**
   * Plays a fixture under a path of its own.
   * @param bytes what the fixture takes, if it came with the request for the tape
   * @throws TooMuchError if there are too many tapes, or their fixtures take too much
   * @see REPLAY-19
   */
  open(fixture: Fixture, options: OpenOptions, bytes = 0): { id: string } & OpenTape {
    this.#refuseTooMuch(bytes);
    const id = randomUUID();
    const open = this.#openAt(`${this.origin}/${id}`, fixture, options);
    this.#tapes.set(id, { ...open, bytes });
    return { id, ...open };
  }

  #refuseTooMuch(bytes: number): void {
    const held = [...this.#tapes.values()].reduce((sum, open) => sum + open.bytes, bytes);
    if (this.#tapes.size < maxTapes && held <= maxFixtureBytes) return;
    const what = this.#tapes.size < maxTapes ? "with fixtures that take too much" : "which are too many";
    throw new TooMuchError(
      503,
      `${this.#tapes.size} tapes are open, ${what}; close a tape with DELETE /_tapes/:id when its test ends`,
    );
  }

  /** The tape with an id, if it is open. */
  find(id: string): OpenTape | undefined {
    return this.#tapes.get(id);
  }

  /** Closes a tape; later requests for it are rejected. */
  close(id: string): void {
    this.#tapes.delete(id);
  }

  /** Ends every connection, and the server. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #openAt(place: string, fixture: Fixture, options: OpenOptions): OpenTape {
    const upstreams = upstreamsOf(fixture);
    const { provider = "openai-chat" } = fixture.exchanges.find((exchange) => exchange.provider !== undefined) ?? {};
    const own = upstreams.find(({ name }) => provider.startsWith(name)) ?? upstreams[0]!;
    return {
      tape: new Tape(fixture, options),
      timing: options.timing ?? "fast",
      renewal: options.renewal,
      upstreams,
      base_url: baseUrlOf(place, own),
      base_urls: Object.fromEntries(upstreams.map((upstream) => [upstream.name, baseUrlOf(place, upstream)])),
    };
  }

  /** Serves a request; whatever goes wrong with one, the server lives. @see REPLAY-15 */
  async #answer(request: IncomingMessage, response: ServerResponse, body: Buffer | TooMuchError): Promise<void> {
    if (body instanceof TooMuchError) return this.#refuseBody(request, response, body);
    try {
      await this.#serve(request, response, body);
    } catch (thrown) {
      const { method = "", url: target = "" } = request;
      this.#placeOf(method, target)?.open.tape.reportFailure((thrown as Error).message);
      if (response.headersSent) return void response.destroy();
      const message = "the server could not answer this request; the verdict of its tape says why";
      answerJson(response, { status: 500, body: providerError(undefined, 500, message) });
    }
  }

  /** What was not read cannot be answered and waited for: the connection ends with the answer. */
  #refuseBody({ method = "", url: target = "" }: IncomingMessage, response: ServerResponse, why: TooMuchError): void {
    response.on("error", ignore);
    this.#placeOf(method, target)?.open.tape.reportFailure(why.message);
    response.setHeader("connection", "close");
    response.once("finish", () => response.socket?.destroySoon());
    answerJson(response, { status: why.status, body: providerError(undefined, why.status, why.message) });
  }

  async #serve(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    response.on("error", ignore);
    // Only what was recorded is sent.
    response.sendDate = false;
    const { method = "", url: target = "", headers } = request;
    if (target.startsWith("/_tapes"))
      return answerJson(response, await tapeRequests(this, { method, target, headers, body }));
    // A client that takes this server for a proxy names another host in good faith.
    const refusal = target.startsWith("/") ? modelRefusal(headers) : undefined;
    if (refusal !== undefined)
      return answerJson(response, { status: 403, body: providerError(undefined, 403, refusal) });
    const place = this.#placeOf(method, target);
    if (place) return void (await play(place.open, new PlayedRequest(request, body, place.route), response));
    if (!target.startsWith("/")) this.#root?.tape.reportBlocked(target);
    return answerJson(response, { status: 404, body: providerError(undefined, 404, unknownPathMessage(target, this)) });
  }

  /** Which tape a request is for, and what it asks of which upstream. */
  #placeOf(method: string, target: string): { open: OpenTape; route: Place } | undefined {
    const named = this.#tapes.size > 0 ? this.#tapes.get(target.split("/", 2)[1] ?? "") : undefined;
    const open = named ?? this.#root;
    if (!open) return undefined;
    const path = named ? target.slice(target.indexOf("/", 1)) : target;
    const route = routeOf(method, path, open.upstreams);
    if (route) return { open, route: { ...route, upstream: route.upstream.name } };
    // A client that was given nothing but the address asks for `/v1/…`.
    if (!path.startsWith("/v")) return undefined;
    const provider = providerOf(method, path);
    return { open, route: { path, ...(provider && { provider }) } };
  }

  /** The program uses this server as a proxy: it wants to go somewhere else. */
  #refuseTunnel({ url = "another host" }: IncomingMessage, socket: Duplex): void {
    this.#root?.tape.reportBlocked(url);
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  }
}

/** The providers' own upstreams, and those that the fixture names. */
function upstreamsOf({ exchanges }: Fixture): Upstream[] {
  const named = new Set(exchanges.flatMap(({ upstream }) => (upstream === undefined ? [] : [upstream])));
  const others = [...named].filter((name) => providerUpstreams.every((known) => known.name !== name));
  return [...providerUpstreams, ...others.map((name) => ({ name, url: "", ...recordedBase(name, exchanges) }))];
}

/** Nothing follows the address where it was recorded with the base URL of its clients as the address. */
function recordedBase(name: string, exchanges: Fixture["exchanges"]): Pick<Upstream, "basePath"> {
  const basePath = otherHosts.find((host) => host.name === name)?.basePath ?? "";
  const paths = exchanges.flatMap(({ upstream, request }) => (upstream === name && request ? [request.path] : []));
  return paths.every((path) => path.startsWith(basePath)) ? {} : { basePath: "" };
}

function unknownPathMessage(target: string, { origin }: TapeServer): string {
  return `no tape is open at ${target}; give the program the base URL that the server printed, or open a tape with POST ${origin}/_tapes`;
}

function answerJson(response: ServerResponse, { status, body }: { status: number; body: unknown }): void {
  const text = JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-should-retry": "false",
  };
  response.writeHead(status, headers).end(text);
}

/** A request of a client. Its headers are read lazily. */
class PlayedRequest implements TapeRequest {
  readonly method: string;
  readonly path: string;
  readonly upstream?: string;
  readonly provider?: string;
  readonly body: Buffer;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage, body: Buffer, { path, upstream, provider }: Place) {
    this.#message = message;
    this.method = message.method ?? "";
    this.path = path;
    this.body = body;
    if (upstream !== undefined) this.upstream = upstream;
    if (provider !== undefined) this.provider = provider;
  }

  get headers(): TapeRequest["headers"] {
    return this.#message.headers;
  }
}

function play({ tape, timing, renewal }: OpenTape, request: TapeRequest, response: ServerResponse): unknown {
  const taken = tape.take(request);
  if ("reset" in taken) return response.socket?.resetAndDestroy();
  if ("refused" in taken) {
    if (!renewal || !taken.problem) return answerJson(response, taken.refused);
    tape.forgive(taken.problem);
    return renewal.renew(request, taken.problem.message, response);
  }
  renewal?.keep(taken.taken.number);
  return playAnswer(response, taken.taken.answer, timing, taken.fault);
}

/** A disconnected client is no error. */
function ignore(): void {}
