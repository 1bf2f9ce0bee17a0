// The fake driver's end of the conversation: what it sends and asks, in lines that may be spoilt.

import { createInterface } from "node:readline";
import type { LoopEvent } from "../../../schemas/types.ts";

/** What the driver does wrong, and what makes its process easy to find. */
export const [, , behaviour = "good", token = ""] = process.argv;

const waiting = new Map<string, PromiseWithResolvers<unknown>>();
let lastId = 0;

export function send(message: object): void {
  const line = JSON.stringify({ jsonrpc: "2.0", ...message });
  if (behaviour === "a byte at a time")
    for (const byte of Buffer.from(`${line}\n`)) process.stdout.write(Buffer.of(byte));
  else process.stdout.write(behaviour === "ends its lines with CR and LF" ? `${line}\r\n` : `${line}\n`);
}

export function ask(method: string, params: unknown): Promise<unknown> {
  const id = `d${++lastId}`;
  const answer = Promise.withResolvers<unknown>();
  waiting.set(id, answer);
  send({ id, method, params });
  return answer.promise;
}

export function emit(run: string, event: LoopEvent): void {
  send({ method: "event", params: { run, event } });
}

/** Reads stdin, and passes on the requests and notifications of the kit. */
export function listen(onMessage: (message: unknown) => void): void {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line) as { id: string; method?: string; result?: unknown; error?: { message: string } };
    if (behaviour === "takes the next line for the answer" && waiting.size > 0 && message.method !== undefined)
      process.exit(1);
    if (message.method !== undefined) return onMessage(message);
    if (message.error) waiting.get(message.id)?.reject(new Error(message.error.message));
    else waiting.get(message.id)?.resolve(message.result);
    waiting.delete(message.id);
  });
}
