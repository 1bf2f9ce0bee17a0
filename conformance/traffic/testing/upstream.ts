// A host for tests of the recorder: it answers as the test defines, and records its requests.

import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the host was asked. */
export interface UpstreamRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

export interface TestUpstream extends AsyncDisposable {
  url: string;
  requests: UpstreamRequest[];
}

/** Starts a host; it ends with the `await using` that it belongs to. */
export async function startUpstream(
  answer: (received: UpstreamRequest, response: ServerResponse) => unknown,
): Promise<TestUpstream> {
  const requests: UpstreamRequest[] = [];
  const server: Server = createServer({ noDelay: true }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
    request.on("end", () => {
      const one = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      requests.push(one);
      void answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
