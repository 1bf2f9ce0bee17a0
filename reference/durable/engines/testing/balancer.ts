// What stands before the workers of an engine that calls them: each connection goes to one of them, in turn, and ends when it does.

import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

export interface Balancer {
  port: number;
  end(): void;
}

/** @param ports where the workers listen, on this machine */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  let next = 0;
  const server = createServer((socket) => {
    const worker = connect(ports[next++ % ports.length]!, "127.0.0.1");
    for (const [one, other] of [
      [socket, worker],
      [worker, socket],
    ] as const)
      one
        .on("error", () => {})
        .on("close", () => other.destroy())
        .pipe(other);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, end: () => server.close() };
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
