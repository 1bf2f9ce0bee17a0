// A request that a tape was asked: what its body says, and in what it differs from a recorded one before its body is compared.

import type { Exchange } from "../../reference/types.ts";
import type { Difference } from "./agreement.ts";

/** A request as it came. */
export interface TapeRequest {
  method: string;
  /** Path and query, as the upstream knows them. */
  path: string;
  /** The upstream's name; absent where the client did not say whom it asks. */
  upstream?: string;
  /** The provider whose format it seems to be. */
  provider?: string;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A request whose body is read when somebody wants to know what it says, and once. */
export class Asked {
  readonly request: TapeRequest;
  #value: { read: unknown } | undefined;

  constructor(request: TapeRequest) {
    this.request = request;
  }

  get value(): unknown {
    this.#value ??= { read: bodyOf(this.request) };
    return this.#value.read;
  }

  /** The headers, each as one text. */
  get headers(): Record<string, string> {
    const entries = Object.entries(this.request.headers).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  }
}

/** The value that a body is in JSON, else its text; nothing for no body. */
export function bodyOf({ body }: Pick<TapeRequest, "body">): unknown {
  if (body.length === 0) return undefined;
  const text = body.toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** How a request differs in whom it is for: the host, the method, the path. */
export function otherReceiver(
  { provider, upstream, request }: Exchange,
  received: TapeRequest,
): Difference | undefined {
  if (upstream !== undefined && received.upstream !== undefined && upstream !== received.upstream)
    return { pointer: "(upstream)", expected: upstream, received: received.upstream };
  if (!request) {
    if (provider === received.provider) return undefined;
    return { pointer: "(provider)", expected: provider, received: received.provider };
  }
  if (request.method === received.method && request.path === received.path) return undefined;
  const expected = `${request.method} ${request.path}`;
  return { pointer: "(request)", expected, received: `${received.method} ${received.path}` };
}

/** That two bodies that are no texts differ. */
export function otherBytes(recorded: Buffer, { body }: TapeRequest): Difference {
  return { pointer: "(body)", expected: `${recorded.length} bytes`, received: `${body.length} other bytes` };
}
