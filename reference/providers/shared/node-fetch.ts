// Sends bytes with Node's own HTTP client where there is one: a request through `fetch` costs several times as much there.

import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";

/** What is used of `node:http` and of `node:https`. */
interface HttpClient {
  request(url: URL, options: RequestOptions): ClientRequest;
}

/** The `fetch` that came with the runtime. */
const runtimesOwn = globalThis.fetch;
/** Where undici, which is behind Node's `fetch`, keeps what was set to dispatch its requests. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");
/** How long an answer may be silent, in milliseconds: as long as Node's `fetch` lets it. */
const LONGEST_SILENCE = 300_000;
/** How many pieces of an answer may wait to be read. */
const WAITING_PIECES = 16;

/**
 * A `fetch` for what the SDKs ask: bytes sent by POST, an answer that may be long. Connections are kept alive by Node's global
 * agents. It is the runtime's own `fetch` that is called wherever that may differ: outside Node, for other bodies, for a
 * redirect, and where a program put something else in the place of `fetch` or of its dispatcher, such as a proxy or a mock.
 * @throws what `fetch` throws: the signal's reason when aborted, a `TypeError` with the cause where there is no answer
 */
export async function nodeFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { body, method } = init;
  if (typeof url !== "string" || method !== "POST" || !(body instanceof Uint8Array)) return globalThis.fetch(url, init);
  const address = new URL(url);
  const client = clientFor(address);
  if (!client) return globalThis.fetch(url, init);
  const incoming = await ask(client, address, init, body);
  const status = incoming.statusCode!;
  if (status < 300 || status >= 400) return toResponse(incoming);
  incoming.resume();
  return globalThis.fetch(url, init);
}

function clientFor({ protocol }: URL): HttpClient | undefined {
  const scope = globalThis as typeof globalThis & { [DISPATCHER]?: object };
  if (globalThis.fetch !== runtimesOwn || !navigatorSaysNode()) return undefined;
  if ((scope[DISPATCHER]?.constructor.name ?? "Agent") !== "Agent") return undefined;
  const name = protocol === "https:" ? "node:https" : protocol === "http:" ? "node:http" : undefined;
  return name && process.getBuiltinModule(name);
}

function navigatorSaysNode(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith("Node.js/") ?? false;
}

function ask(
  client: HttpClient,
  url: URL,
  { headers, signal }: RequestInit,
  body: Uint8Array,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const given = headers instanceof Headers ? headers : new Headers(headers);
    const sent = { ...Object.fromEntries(given), "content-length": body.length };
    const outgoing = client.request(url, { method: "POST", headers: sent });
    const abort = () => outgoing.destroy(signal!.reason as Error);
    signal?.addEventListener("abort", abort, { once: true });
    // The SDK keeps its signal until the response is collected, which the listener would keep for ever.
    outgoing.on("close", () => signal?.removeEventListener("abort", abort));
    outgoing.on("response", resolve);
    outgoing.on("error", (cause) => {
      reject(signal?.aborted ? (signal.reason as Error) : new TypeError("fetch failed", { cause }));
    });
    outgoing.end(body);
  });
}

function toResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  const hasBody = status !== 204 && status !== 205;
  if (!hasBody) incoming.resume();
  return new Response(hasBody ? streamOf(incoming) : null, { status, statusText, headers });
}

function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.setTimeout(LONGEST_SILENCE, () => incoming.destroy(new Error("the answer fell silent")));
        incoming.on("data", (piece: Uint8Array) => {
          controller.enqueue(piece);
          if (controller.desiredSize! <= 0) incoming.pause();
        });
        incoming.on("end", () => controller.close());
        incoming.on("error", (cause) => controller.error(new TypeError("terminated", { cause })));
      },
      pull: () => void incoming.resume(),
      cancel() {
        incoming.removeAllListeners("data").removeAllListeners("end").destroy();
      },
    },
    { highWaterMark: WAITING_PIECES },
  );
}
