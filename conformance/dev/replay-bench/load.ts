// A client that costs little: requests as ready bytes over a few connections, so that the server is what is measured.

import { connect } from "node:net";
import type { Socket } from "node:net";

/** Sends the request so many times over so many connections, each waiting for its answer. Resolves to the seconds that it took. */
export async function load(url: string, body: string, count: number, connections: number): Promise<number> {
  const { bytes, open } = client(url, body);
  const began = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = open();
      while (left > 0) {
        left -= 1;
        await ask(socket, bytes);
      }
      socket.destroy();
    }),
  );
  return (performance.now() - began) / 1000;
}

/** How long the first byte of each answer took, in milliseconds, of requests one after the other. */
export async function firstBytes(url: string, body: string, count: number): Promise<number[]> {
  const { bytes, open } = client(url, body);
  const socket = open();
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    socket.once("data", () => times.push(performance.now() - began));
    await ask(socket, bytes);
  }
  socket.destroy();
  return times;
}

/** A request as bytes, and how to open a connection to send it over. */
function client(url: string, body: string): { bytes: Buffer; open(): Socket } {
  const { hostname, port, pathname } = new URL(`${url}/chat/completions`);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    "content-type: application/json",
    "authorization: Bearer none",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return {
    bytes: Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`),
    open: () => connect({ port: Number(port), host: hostname, noDelay: true }),
  };
}

/** Resolves when the answer is whole; an answer that is no success is an error of the benchmark. */
function ask(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    const onData = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      const isWhole = length === undefined ? text.endsWith("0\r\n\r\n") : text.length >= end + 4 + Number(length);
      if (!isWhole) return;
      socket.off("data", onData).off("error", reject);
      if (text.startsWith("HTTP/1.1 200")) resolve();
      else reject(new Error(`the server answered: ${text.slice(0, 400)}`));
    };
    socket.on("data", onData).on("error", reject);
    socket.write(bytes);
  });
}
