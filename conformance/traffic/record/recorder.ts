// The local proxy of `agent-loop record`: forwards requests unchanged, and keeps the exchanges, without secrets.

import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from "node:http";
import { Agent as HttpsAgent, request as askHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { Agent as HttpAgent, createServer, request as askHttp } from "../../kit/base/node-http.ts";
import { providerError } from "../fixture/provider-error.ts";
import type { Recording } from "./recording.ts";
import { routeOf } from "./routes.ts";
import type { Route, Upstream } from "./routes.ts";

/** A request to be handed on: how its body is sent, and what it was when it is sent. */
interface PendingRequest {
  route: Route;
  method: string;
  headers: IncomingMessage["headers"];
  send(request: ClientRequest): void;
  body(): Buffer;
}

/** Headers of one connection, which the next one has for itself. */
const ofTheConnection = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "host", "te"];

/**
 * Forwards to the upstreams, chunk by chunk, and records.
 * @see RECORD-1
 */
export class Recorder {
  readonly #server: Server;
  readonly #upstreams: readonly Upstream[];
  readonly #recording: Recording;
  readonly #agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };
  readonly #open = new Set<Promise<void>>();

  private constructor(upstreams: readonly Upstream[], recording: Recording) {
    this.#upstreams = upstreams;
    this.#recording = recording;
    this.#server = createServer({ noDelay: true, requestTimeout: 0 }, (request, response) => {
      const served = this.#serve(request, response).finally(() => this.#open.delete(served));
      this.#open.add(served);
    });
  }

  static async start(upstreams: readonly Upstream[], recording: Recording): Promise<Recorder> {
    const started = new Recorder(upstreams, recording);
    await new Promise<void>((resolve, reject) => {
      started.#server.once("error", reject).listen(0, "127.0.0.1", () => resolve());
    });
    return started;
  }

  /** `http://127.0.0.1:PORT` */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Aborts pending exchanges, and resolves when everything received is written. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await Promise.all([...this.#open, closed]);
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => {});
    response.on("error", () => {});
    const { method = "", url: target = "" } = request;
    const route = routeOf(method, target, this.#upstreams);
    if (!route) return refuse(response, 404, undefined, this.#unknownPathMessage(target));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    const send = (outgoing: ClientRequest) => void request.pipe(outgoing);
    await this.#exchange(
      { route, method, headers: request.headers, send, body: () => Buffer.concat(chunks) },
      response,
    );
  }

  /**
   * Hands on a request that was read already.
   * @returns the number of its exchange, when that is written down; nothing where there was no answer
   */
  handOn(
    pending: Omit<PendingRequest, "send" | "body"> & { body: Buffer },
    response: ServerResponse,
  ): Promise<number | undefined> {
    const { body, ...rest } = pending;
    return this.#exchange({ ...rest, send: (request) => void request.end(body), body: () => body }, response);
  }

  async #exchange(pending: PendingRequest, response: ServerResponse): Promise<number | undefined> {
    const { route, method, headers: sent } = pending;
    const began = performance.now();
    const answer = await this.#forward(pending, response);
    if (answer instanceof Error) {
      this.#recording.failed(route, new Error(`could not be reached: ${answer.message}`));
      const message = `${route.upstream.url} could not be reached: ${answer.message}`;
      return void refuse(response, 502, route.provider, message);
    }
    if (!answer) return undefined;
    // Without its length the answer is whole for the client when it is ended here: after it was written down.
    const { "content-length": _length, ...headers } = ofTheBody(answer.headers);
    response.writeHead(answer.statusCode ?? 502, headers);
    response.flushHeaders();
    const exchange = this.#recording.begin({
      route,
      method,
      headers: sent,
      body: pending.body(),
      receivedAt: began,
      answer,
    });
    await this.#relay(answer, response, exchange);
    return exchange.number;
  }

  /** Forwards a request. Resolves to the answer, to undefined if the client disconnected, or to the error. */
  #forward(
    { route, method, headers: sent, send }: PendingRequest,
    response: ServerResponse,
  ): Promise<IncomingMessage | Error | undefined> {
    const url = new URL(route.upstream.url + route.path);
    const secure = url.protocol === "https:";
    // Uncompressed, so that the recording has what the program reads.
    const headers = { ...ofTheBody(sent), host: url.host, "accept-encoding": "identity" };
    return new Promise((resolve) => {
      const outgoing = (secure ? askHttps : askHttp)(url, {
        method,
        headers,
        agent: this.#agents[secure ? "https:" : "http:"],
      });
      outgoing.setNoDelay(true);
      outgoing.once("response", resolve).once("error", resolve);
      response.once("close", () => {
        if (response.writableFinished) return;
        outgoing.destroy();
        resolve(undefined);
      });
      send(outgoing);
    });
  }

  /** Hands the answer on piece by piece, and ends it when it is written down. @see RECORD-2 */
  async #relay(
    answer: IncomingMessage,
    response: ServerResponse,
    exchange: ReturnType<Recording["begin"]>,
  ): Promise<void> {
    let cut: "client" | "server" | undefined;
    const gone = () => {
      cut ??= response.writableFinished ? undefined : "client";
      if (cut === "client") answer.destroy();
    };
    response.once("close", gone);
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        const room = response.write(chunk);
        const kept = exchange.push(chunk);
        if (!room || kept !== undefined) await Promise.all([room || drained(response), kept]);
      }
    } catch {
      // The stream ends with an error where the server is lost, and where it was let go because the client went away.
      cut ??= "server";
    }
    await exchange.end(cut);
    response.off("close", gone);
    if (cut === undefined) response.end();
    else response.socket?.destroySoon();
  }

  #unknownPathMessage(target: string): string {
    const names = this.#upstreams.map(({ name }) => `/${name}`).join(", ");
    return `expected a path that begins with ${names}, got ${target}; name another host with --upstream name=url`;
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

function ofTheBody(headers: IncomingMessage["headers"]): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name)));
}

function refuse(response: ServerResponse, status: number, provider: string | undefined, message: string): void {
  const headers = { "content-type": "application/json", "x-should-retry": "false" };
  response.writeHead(status, headers).end(JSON.stringify(providerError(provider, status, message)));
}
