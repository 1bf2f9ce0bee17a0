// JSON-RPC 2.0 over newline-delimited JSON on stdin and stdout, in both directions.

import { createInterface } from "node:readline";

import type { LoopError, Message } from "../../../schemas/types.ts";

/** What the kit says in the data of an error. */
interface ErrorData {
  thrown?: boolean;
  fatal?: boolean;
  error?: LoopError;
  partial?: Message[];
}

/** An error that the other side answered with. */
export class RpcError extends Error {
  readonly data: ErrorData | undefined;

  constructor(message: string, data?: ErrorData) {
    super(message);
    this.data = data;
  }
}

/** The other side. */
export interface Peer {
  request<Result>(method: string, params: unknown): Promise<Result>;
  notify(method: string, params: unknown): void;
}

// The kit validates every message against its schema before it sends it, so that parameters need no second look here.
type Handlers = Record<string, (params: never) => Promise<unknown>>;

/** Answers the other side's requests with `handlers`, until stdin ends; then the process ends too. */
export function serve(handlers: Handlers): Peer {
  const waiting = new Map<string, { resolve(value: never): void; reject(error: Error): void }>();
  let sent = 0;
  let unsent = "";

  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  lines.on("line", (line) => void receive(JSON.parse(line)));
  lines.on("close", () => process.exit(0));
  return {
    notify: (method, params) => send({ method, params }),
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = `d${(sent += 1)}`;
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      }),
  };

  async function receive(message: {
    id?: string | number;
    method?: string;
    params?: never;
    result?: never;
    error?: { message: string; data?: ErrorData };
  }) {
    const { id, method, params } = message;
    if (method === undefined) return settle(String(id), message);
    const handler = handlers[method];
    if (!handler)
      return id === undefined ? undefined : send({ id, error: { code: -32601, message: `Unknown method ${method}` } });
    try {
      const result = await handler(params as never);
      if (id !== undefined) send({ id, result });
    } catch (thrown) {
      if (id !== undefined) send({ id, error: { code: -32603, message: String(thrown) } });
    }
  }

  function settle(id: string, { result, error }: { result?: never; error?: { message: string; data?: ErrorData } }) {
    const request = waiting.get(id);
    waiting.delete(id);
    if (error) request?.reject(new RpcError(error.message, error.data));
    else request?.resolve(result as never);
  }

  /** What is sent in one go is written in one go: a write to a pipe costs more than the message. */
  function send(message: object) {
    if (unsent === "") process.nextTick(flush);
    unsent += `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
  }

  function flush() {
    process.stdout.write(unsent);
    unsent = "";
  }
}
