// A request through Node's own HTTP client is what the same request through fetch would be.

import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { nodeFetch, RedirectError } from "./node-fetch.ts";

let server: Server | undefined;
afterEach(() => {
  vi.unstubAllGlobals();
  server?.close();
  server?.closeAllConnections();
});

async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer(respond);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages?a=b`;
}

const body = new TextEncoder().encode('{"ü":1}');
const post = { method: "POST", body, headers: new Headers({ "content-type": "application/json", "X-Key": "k" }) };

describe.each([
  ["nodeFetch", nodeFetch],
  ["fetch", (url: string, init: RequestInit) => fetch(url, init)],
])("%s", (_name, send) => {
  test("sends the bytes and headers, and gives back status, headers and body", async () => {
    const url = await serve(async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
      const { "content-type": type, "x-key": key, "content-length": length } = request.headers;
      response.writeHead(
        201,
        "Made",
        [
          ["A", "1"],
          ["a", "2"],
          ["set-cookie", "x"],
          ["set-cookie", "y"],
        ].flat(),
      );
      response.end(JSON.stringify([request.method, request.url, type, key, length, text]));
    });
    const response = await send(url, post);
    expect([response.status, response.statusText, response.ok]).toEqual([201, "Made", true]);
    expect([response.headers.get("a"), response.headers.getSetCookie()]).toEqual(["1, 2", ["x", "y"]]);
    const expected = ["POST", "/v1/messages?a=b", "application/json", "k", String(body.length), '{"ü":1}'];
    expect(await response.json()).toEqual(expected);
  });

  test("gives a body of any length, piece by piece", async () => {
    const piece = "0123456789".repeat(10_000);
    const url = await serve((_request, response) => {
      for (let at = 0; at < 30; at += 1) response.write(piece);
      response.end();
    });
    expect((await (await send(url, post)).text()).length).toBe(30 * piece.length);
  });

  test("answers without a body where there is none", async () => {
    const url = await serve((_request, response) => response.writeHead(204).end());
    expect(await (await send(url, post)).text()).toBe("");
  });

  test("throws a TypeError with the cause where nobody listens", async () => {
    const url = await serve(() => undefined);
    server!.close();
    const thrown = await send(url, post).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(TypeError);
    expect((thrown as Error).cause).toMatchObject({ code: "ECONNREFUSED" });
  });

  test("fails while it is read if the connection breaks", async () => {
    const url = await serve((_request, response) => {
      response.write("half");
      setImmediate(() => response.destroy());
    });
    await expect((async () => (await send(url, post)).text())()).rejects.toThrow(TypeError);
  });

  test("throws the reason of its signal, before the answer and within it", async () => {
    const url = await serve((request, response) => {
      if (request.headers["x-key"] === "write") response.write("half");
    });
    const reason = new Error("enough");
    await expect(send(url, { ...post, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const waiting = new AbortController();
    const asked = send(url, { ...post, signal: waiting.signal });
    server!.once("request", () => waiting.abort(reason));
    await expect(asked).rejects.toBe(reason);
    const reading = new AbortController();
    const response = await send(url, { ...post, headers: { "X-Key": "write" }, signal: reading.signal });
    const text = response.text();
    reading.abort(reason);
    await expect(text).rejects.toThrow();
  });

  test("closes the connection of an answer that is cancelled", async () => {
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((_request, response) => {
      response.write("half");
      response.on("close", () => closed());
    });
    await (await send(url, post)).body!.cancel();
    await isClosed;
  });
});

describe("nodeFetch", () => {
  test("uses a connection again", async () => {
    const url = await serve((_request, response) => response.end("{}"));
    let connections = 0;
    server!.on("connection", () => (connections += 1));
    for (let time = 0; time < 3; time += 1) await (await nodeFetch(url, post)).text();
    expect(connections).toBe(1);
  });

  test.each<[string, RequestInit]>([
    ["another method", { method: "GET" }],
    ["another kind of body", { ...post, body: "text" }],
  ])("leaves %s to fetch", async (_what, init) => {
    const url = await serve((request, response) => response.end(request.headers["sec-fetch-mode"]));
    expect(await (await nodeFetch(url, init)).text()).toBe("cors");
  });

  test("leaves everything to what a program put in the place of fetch", async () => {
    const standIn = vi.fn(async () => new Response("mocked"));
    vi.stubGlobal("fetch", standIn);
    expect(await (await nodeFetch("http://127.0.0.1:1/", post)).text()).toBe("mocked");
    expect(standIn).toHaveBeenCalledWith("http://127.0.0.1:1/", { ...post, redirect: "manual" });
  });

  test("leaves everything to fetch where its dispatcher was replaced, and outside Node", async () => {
    const url = await serve((request, response) => response.end(request.headers["sec-fetch-mode"] ?? "direct"));
    const text = async () => (await nodeFetch(url, post)).text();
    expect(await text()).toBe("direct");
    vi.stubGlobal("navigator", { userAgent: "Deno/2" });
    expect(await text()).toBe("cors");
    vi.unstubAllGlobals();
    const key = Symbol.for("undici.globalDispatcher.1");
    const scope = globalThis as { [key]?: { dispatch: unknown } };
    const own = scope[key]!;
    class ProxyAgent {
      dispatch(...args: unknown[]): unknown {
        return (own.dispatch as (...args: unknown[]) => unknown).call(own, ...args);
      }
    }
    scope[key] = new ProxyAgent();
    try {
      expect(await text()).toBe("cors");
    } finally {
      scope[key] = own;
    }
  });
});

describe.each([
  ["through Node's client", post],
  ["through fetch", { ...post, body: '{"ü":1}' }],
])("a redirect %s", (_how, init: RequestInit) => {
  /** A second server, which must not be asked. */
  async function elsewhere(): Promise<{ origin: string; asked: string[] }> {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(`${request.method} ${String(request.headers["x-key"])}`);
      response.end("arrived");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      other.close();
      other.closeAllConnections();
    });
    return { origin: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, asked };
  }

  test.each([307, 308])("with status %i is followed within its origin, with what was sent", async (status) => {
    const url = await serve(async (request, response) => {
      if (request.url !== "/there") return void response.writeHead(status, { location: "/there" }).end("moved");
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
      response.end(`${request.method} ${String(request.headers["x-key"])} ${text}`);
    });
    expect(await (await nodeFetch(url, init)).text()).toBe('POST k {"ü":1}');
  });

  test.each([301, 302, 303, 307, 308])(
    "with status %i to another origin is refused, and names both",
    async (status) => {
      const other = await elsewhere();
      const url = await serve((_request, response) => {
        response.writeHead(status, { location: `${other.origin}/v1?secret` }).end();
      });
      const thrown = await nodeFetch(url, init).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(RedirectError);
      expect((thrown as Error).message).toContain(`${new URL(url).origin} sends the request on to ${other.origin},`);
      expect(other.asked).toEqual([]);
    },
  );

  test("to another origin behind one within its own is refused", async () => {
    const other = await elsewhere();
    const url = await serve((request, response) => {
      response.writeHead(307, { location: request.url === "/there" ? other.origin : "/there" }).end();
    });
    await expect(nodeFetch(url, init)).rejects.toThrow(RedirectError);
    expect(other.asked).toEqual([]);
  });

  test("is given as it is where it changes the method, names no address, or follows another one", async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url!);
      const [status, location] = request.headers["x-key"] === "k" ? [307, "/again"] : [302, "/there"];
      response.writeHead(status, request.headers["x-key"] === "none" ? {} : { location }).end();
    });
    expect((await nodeFetch(url, init)).status).toBe(307);
    expect(asked).toEqual(["/v1/messages?a=b", "/again"]);
    for (const key of ["get", "none"]) {
      expect((await nodeFetch(url, { ...init, headers: { "x-key": key } })).status).toBe(302);
    }
    expect(asked).toHaveLength(4);
  });
});

test("an opaque redirect of a browser is refused", async () => {
  const response = new Response(null);
  Object.defineProperty(response, "type", { value: "opaqueredirect" });
  vi.stubGlobal("fetch", async () => response);
  await expect(nodeFetch("http://127.0.0.1:1/", post)).rejects.toThrow("http://127.0.0.1:1 sends the request on");
});

test("leaves no listener on the signal of a request that is over, whatever came of it", async () => {
  const url = await serve((request, response) => {
    if (request.headers["x-key"] === "lost") return void request.socket.destroy();
    response.end("{}");
  });
  for (const key of ["k", "lost"]) {
    const { signal } = new AbortController();
    const headers = { "x-key": key };
    const answered = nodeFetch(url, { ...post, headers, signal }).then((response) => response.text());
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await answered.catch(() => {});
    await vi.waitFor(() => expect(getEventListeners(signal, "abort")).toEqual([]), 30_000);
  }
});
