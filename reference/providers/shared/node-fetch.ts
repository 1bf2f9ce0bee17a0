// Sends bytes with Node's own HTTP client where there is one: a request through `fetch` costs several times as much there.

import { isDeeperText } from "../../support/bounds.ts";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";

/** What is used of `node:http` and of `node:https`. */
interface HttpClient {
  request(url: URL, options: RequestOptions): ClientRequest;
}

/** The `fetch` that came with the runtime. */
const runtimesOwn = globalThis.fetch;
/** Where undici, which is behind Node's `fetch`, keeps what was set to dispatch its requests. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");
/** The statuses with which a server sends a request on. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** How long an answer may be silent, in milliseconds: as long as Node's `fetch` lets it. */
const LONGEST_SILENCE = 300_000;
/** How many pieces of an answer may wait to be read. */
const WAITING_PIECES = 16;

/** A server sent a request on to another one. What it was sent, a key for example, is not for that one. @see PROVIDER-38 */
export class RedirectError extends Error {
  override name = "RedirectError";
}

/**
 * A `fetch` for what the SDKs ask: bytes sent by POST, an answer that may be long. Connections are kept alive by Node's global
 * agents. It is the runtime's own `fetch` that is called wherever that may differ: outside Node, for other bodies, and where a
 * program put something else in the place of `fetch` or of its dispatcher, such as a proxy or a mock.
 *
 * A redirect that keeps the method is followed once, within the origin that was asked.
 * @throws what `fetch` throws: the signal's reason when aborted, a `TypeError` with the cause where there is no answer
 * @throws {RedirectError} where the server sends the request on to another origin
 */
export async function nodeFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const response = await withReadableError(await send(url, init));
  const target = redirectOf(url, response);
  if (!target || (response.status !== 307 && response.status !== 308)) return response;
  await response.body?.cancel();
  const answer = await withReadableError(await send(target.href, init));
  redirectOf(target, answer);
  return answer;
}

/** How much of what a server says about a failure is read, in bytes, and how deep: the SDKs would read all of it. */
const LONGEST_ERROR = 2 ** 20;
const DEEPEST_ERROR = 128;

/** A response whose body, if it says what failed, is one that can be read. @see PROVIDER-43 */
async function withReadableError(response: Response): Promise<Response> {
  const { ok, body, status, statusText, headers } = response;
  if (ok || !body) return response;
  const said = await beginningOf(body.getReader());
  const text = isDeeperText(said, DEEPEST_ERROR) ? "what the server says is nested too deep to be read" : said;
  return new Response(text, { status, statusText, headers });
}

/** The text that comes first, up to a break of the connection. */
async function beginningOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let read = 0;
  try {
    while (read < LONGEST_ERROR) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      read += value.length;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // What has come has to do.
  }
  return text;
}

async function send(url: string | URL | Request, init: RequestInit): Promise<Response> {
  const { body, method } = init;
  if (typeof url === "string" && method === "POST" && body instanceof Uint8Array) {
    const address = new URL(url);
    const client = clientFor(address);
    if (client) return toResponse(await ask(client, address, init, body));
  }
  return globalThis.fetch(url, { ...init, redirect: "manual" });
}

/** Where in the same origin a request is sent on to. */
function redirectOf(url: string | URL | Request, response: Response): URL | undefined {
  // A browser does not say where to.
  const isUntold = response.type === "opaqueredirect";
  if (!isUntold && !REDIRECTS.has(response.status)) return undefined;
  const asked = new URL(url instanceof Request ? url.url : url);
  if (isUntold) throw new RedirectError(refusalOf(asked, "another address"));
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, asked.href)) return undefined;
  const target = new URL(location, asked);
  if (target.origin === asked.origin) return target;
  throw new RedirectError(refusalOf(asked, `${target.protocol}//${target.host}`));
}

function refusalOf(asked: URL, target: string): string {
  return `${asked.origin} sends the request on to ${target}, which was sent nothing: if that is the server that is meant, give it as the address`;
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
  const hasBody = status !== 204 && status !== 205 && status !== 304;
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
