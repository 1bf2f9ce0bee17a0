// Plays a provider that fails in every way that a caller meets, in a process of its own.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Transport, Wire } from "./turn-script.ts";
import { answerOf } from "./turn-wires.ts";

/** What becomes of a call. A server that stalls sends half of its answer and then nothing, until it is left. */
export const fates = ["answered", "refused", "broken", "stalled", "unreadable"] as const;
export type Fate = (typeof fates)[number];

/** The path under which every request meets one fate; the provider's own path follows. */
export function pathOf(fate: Fate, wire: Wire, transport: Transport): string {
  return `/${fate}/${wire}/${transport}`;
}

/** Serves on a free port of the loopback interface. */
export async function serveFates(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => respond(request, response));
  });
  server.keepAliveTimeout = 0; // a connection that is closed as it is used again would fail a call that is to be answered
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function respond({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const [, fate, wire, transport] = url.split("/") as [string, Fate, Wire, Transport];
  const type = transport === "sse" ? "text/event-stream" : "application/json";
  const answer = answerOf({ wire, transport, calls: 1, turns: 1 }, 1);
  const half = answer.slice(0, answer.length / 2);
  switch (fate) {
    case "answered":
      return void response.writeHead(200, { "content-type": type }).end(answer);
    case "refused":
      return void response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');
    case "unreadable":
      return void response.writeHead(200, { "content-type": type }).end("<p>This is no answer.</p>");
    case "stalled":
      return void response.writeHead(200, { "content-type": type }).write(half);
    case "broken":
      response.writeHead(200, { "content-type": type }).write(half, () => response.destroy());
  }
}

// As a process: says where it is, and ends with its parent.
if (import.meta.main) {
  const { url } = await serveFates();
  process.on("disconnect", () => process.exit());
  process.send?.(url);
}
