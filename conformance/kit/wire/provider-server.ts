// The HTTP server that answers as the model providers, for all runs at once, each run under its own path.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "../base/node-http.ts";
import { ProviderSession } from "./provider-session.ts";
import type { RunOptions } from "./provider-types.ts";
import { writeResponse } from "./write-response.ts";

/** A request that belongs to no open run. */
export interface Stray {
  method: string;
  path: string;
}

export interface ProviderServer {
  readonly port: number;
  /** Requests that belonged to no open run, in order. */
  readonly strays: readonly Stray[];
  /** Opens a run. Its name is letters, digits, _ and -. Throws if it is open already. */
  open(run: string, options: RunOptions): ProviderSession;
  /** Closes a run: what it still answers is cut off. Its transcript stays readable. */
  close(run: string): void;
  /** Closes every run and connection, and the server. */
  stop(): Promise<void>;
}

/** The real providers refuse larger requests, too. */
const maxBodyBytes = 32 * 1024 * 1024;

/** Starts the server on 127.0.0.1, by default on a free port. */
export async function startProviderServer(wanted = 0): Promise<ProviderServer> {
  const runs = new Map<string, ProviderSession>();
  const strays: Stray[] = [];
  const server = createServer({ noDelay: true, requestTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
    void serve(request, response, runs, strays);
  });
  const port = await listen(server, wanted);
  const close = (run: string) => {
    runs.get(run)?.close();
    runs.delete(run);
  };
  return {
    port,
    strays,
    open(name, options) {
      if (!/^[\w-]+$/.test(name))
        throw new Error(`expected a run's name of letters, digits, _ and -, got ${JSON.stringify(name)}`);
      if (runs.has(name)) throw new Error(`the run ${name} is open already; close it, or choose another name`);
      const run = new ProviderSession(name, `http://127.0.0.1:${port}/${name}${options.codec.basePath}`, options);
      runs.set(name, run);
      return run;
    },
    close,
    stop() {
      for (const run of [...runs.keys()]) close(run);
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  runs: Map<string, ProviderSession>,
  strays: Stray[],
): Promise<void> {
  // The exchange notices a client that disconnects while it is read or answered; the errors of its socket add nothing.
  request.on("error", () => {});
  response.on("error", () => {});
  const method = request.method ?? "";
  const target = request.url ?? "";
  const [, name = "", rest = "", query = ""] = /^\/([^/?]*)([^?]*)(.*)/s.exec(target) ?? [];
  const run = runs.get(name);
  const text = await readBody(request);
  if (text === undefined) return;
  if (run === undefined || run.closed) {
    strays.push({ method, path: target });
    const message = `no run is open at /${name}; the kit gives each run a base URL of its own, and only while it lasts`;
    const writes = [{ text: JSON.stringify({ error: { type: "not_found", message } }) }];
    return writeResponse(response, { status: 404, headers: { "content-type": "application/json" }, writes });
  }
  await run.answer({ method, path: rest, target: rest + query, headers: headersOf(request), text }, response);
}

/** The body as text; `undefined` if the client disconnected, or sent too much and was cut off. */
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

function headersOf(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}
