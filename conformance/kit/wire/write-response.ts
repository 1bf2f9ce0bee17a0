// Writes one answer of the provider server: one write of the script is one write to the socket, or one for each of its pieces.

import type { ServerResponse } from "node:http";
import type { WireResponse, Write } from "./codec.ts";
import type { Cutter } from "./split-stream.ts";
import { bytesOf } from "./transport.ts";

/** How an answer is written, and the callbacks. */
export interface WriteOptions {
  /** Aborts when the client has disconnected. */
  gone?: AbortSignal;
  /** Cuts each write into pieces, of which each is a write of its own. @see KIT-18 */
  cut?: Cutter;
  /** Called after each piece of a write that was cut. */
  onPiece?(): void;
  afterPart?(part: number): Promise<unknown> | void;
  /** Called before each write; it is made when what this returns resolves. */
  beforeWrite?(write: Write): Promise<unknown> | void;
  /** Called after each write that others follow, counted from 1, and after the last; nothing more is sent before what this returns resolves. */
  afterWrite?(count: number): Promise<unknown> | void;
  /** Called after each write was handed to the socket. */
  onWrite?(text: string): void;
  /** Called when the answer is about to end as scripted, whole or cut. */
  onEnd?(): void;
}

/** Writes the answer. Resolves when the last byte was handed to the socket, or when the client disconnected. Rejects only if one of the callbacks does. */
export async function writeResponse(
  response: ServerResponse,
  wire: WireResponse,
  options: WriteOptions = {},
): Promise<void> {
  const { gone, cut, onPiece, afterPart, beforeWrite, afterWrite, onWrite, onEnd } = options;
  if (wire.reset === true && wire.writes.length === 0) {
    onEnd?.();
    response.socket?.resetAndDestroy();
    return;
  }
  const only = wire.writes.length === 1 && wire.reset !== true && cut === undefined ? wire.writes[0] : undefined;
  const length = only === undefined ? {} : { "content-length": String(bytesOf(only, wire).length) };
  response.writeHead(wire.status, { ...wire.headers, ...length });
  if (wire.writes.length === 0) response.flushHeaders();
  const hasGone = () => gone?.aborted === true;
  const finish = async (held: Promise<unknown> | void) => {
    if (held !== undefined) await orGone(held, gone);
  };
  for (const [index, write] of wire.writes.entries()) {
    await finish(beforeWrite?.(write));
    if (hasGone()) return;
    if (cut) await writePieces(response, cut(bytesOf(write, wire)), gone, onPiece);
    else await writeBytes(response, bytesOf(write, wire), gone);
    onWrite?.(write.text);
    // Who has gone while it was written deals with nothing more, and nobody waits for a barrier any more.
    if (hasGone()) return;
    if (write.completes_part !== undefined) await finish(afterPart?.(write.completes_part));
    await finish(afterWrite?.(index + 1));
  }
  if (hasGone()) return;
  onEnd?.();
  // What was written is sent before the connection closes.
  if (wire.reset === true) response.socket?.destroySoon();
  else response.end();
}

/** Waits for the promise, but only while the client is connected. What becomes of it after that concerns nobody. */
export async function orGone<Value>(
  promise: Promise<Value>,
  gone: AbortSignal | undefined,
): Promise<Value | undefined> {
  if (gone === undefined) return promise;
  if (gone.aborted) {
    promise.catch(() => undefined);
    return undefined;
  }
  const ended = Promise.withResolvers<undefined>();
  const end = () => ended.resolve(undefined);
  gone.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([promise, ended.promise]);
  } finally {
    gone.removeEventListener("abort", end);
  }
}

/** Waits only where the socket is full. */
async function writeBytes(response: ServerResponse, chunk: Uint8Array, gone: AbortSignal | undefined): Promise<void> {
  if (chunk.length === 0 || response.write(chunk)) return;
  const drained = Promise.withResolvers<void>();
  response.once("drain", () => drained.resolve());
  await orGone(drained.promise, gone);
}

/**
 * Hands each piece to the operating system before the next: what is written in one turn of the event loop would be sent together.
 * A reader in this process gets a turn, too.
 */
async function writePieces(
  response: ServerResponse,
  pieces: readonly Uint8Array[],
  gone: AbortSignal | undefined,
  onPiece: (() => void) | undefined,
): Promise<void> {
  for (const piece of pieces) {
    if (gone?.aborted === true) return;
    const written = Promise.withResolvers<void>();
    response.write(piece, () => written.resolve());
    await orGone(written.promise, gone);
    onPiece?.();
    await new Promise((turn) => setImmediate(turn));
  }
}
