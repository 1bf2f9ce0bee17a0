// Scans a response for secrets, including those split over its pieces, before it is written.

import type { Chunk } from "../../kit/wire/fixture-bytes.ts";
import { isMedium, isReadable } from "../fixture/binary-body.ts";
import { replaceSecrets } from "../fixture/found-secret.ts";
import type { FoundSecret } from "../fixture/found-secret.ts";
import { inspectText, readable } from "../fixture/inspect-text.ts";
import type { Scan } from "../fixture/secrets.ts";

/** How much is received between two scans. */
const stepBytes = 1024 * 1024;

/**
 * How far what is written trails what was received, in bytes. A secret that is spread over more than this much of a stream is not
 * found; one letter in each event, with 250 bytes of JSON around it, makes about a thousand letters.
 */
export const trailingBytes = 256 * 1024;

/** What the guard does with what it has seen. */
export interface GuardedStreamOptions {
  scan: Scan;
  /** Whether a secret is replaced; else it ends the stream. */
  redact: boolean;
  /** Whether bytes may pass of which it cannot be said whether a secret is in them. */
  allowUnscanned: boolean;
  /** Called with what each secret seems to be, and whether it was replaced, before anything around it is written. */
  onFinding(kind: string, replaced: boolean): void;
  /** Called with what the body is, where nothing of it is written because nobody can look through it. */
  onUnscanned(reason: string): void;
  /** Gets what may be written, in order. */
  write(chunks: Chunk[]): void;
}

/**
 * Takes a response piece by piece. Memory is bounded: about a megabyte is held, and `push` resolves when there is room.
 * @see RECORD-3
 */
export class GuardedStream {
  readonly #options: GuardedStreamOptions;
  #held: Chunk[] = [];
  #heldBytes = 0;
  #stopped = false;
  /** Whether the body is an image, audio or a PDF, by its first bytes. */
  #isMedium: boolean | undefined;

  constructor(options: GuardedStreamOptions) {
    this.#options = options;
  }

  /** Whether there is a secret that may not or cannot be replaced, or what cannot be looked through: nothing more is written. */
  get stopped(): boolean {
    return this.#stopped;
  }

  async push(chunk: Chunk): Promise<void> {
    if (this.#stopped) return;
    this.#held.push(chunk);
    this.#heldBytes += chunk.bytes.length;
    if (this.#heldBytes > trailingBytes + stepBytes) await this.#release(trailingBytes);
  }

  /** Releases everything that is held. */
  async end(): Promise<void> {
    if (!this.#stopped && this.#held.length > 0) await this.#release(0);
  }

  /** Writes what is held, but for the last `trailing` bytes. */
  async #release(trailing: number): Promise<void> {
    await this.#inspect(trailing === 0);
    if (this.#stopped) return;
    const free: Chunk[] = [];
    while (this.#held.length > 0 && this.#heldBytes - this.#held[0]!.bytes.length >= trailing) {
      const chunk = this.#held.shift()!;
      this.#heldBytes -= chunk.bytes.length;
      free.push(chunk);
    }
    if (free.length > 0) this.#options.write(free);
  }

  async #inspect(isWhole: boolean): Promise<void> {
    const { scan, redact, onFinding } = this.#options;
    const bytes = Buffer.concat(this.#held.map((chunk) => chunk.bytes));
    if (!this.#mayPass(bytes)) return;
    // One letter for each byte, so that places in the text are places in the pieces.
    const text = bytes.includes(0) ? readable(bytes).join("\n") : bytes.toString("latin1");
    const { visible, hidden } = await inspectText(text, scan, isWhole);
    // What ends with what is held may go on with the next piece, and is found again then.
    const found = visible.filter(({ end }) => isWhole || end < text.length);
    if (found.length === 0 && hidden === undefined) return;
    this.#stopped = !redact || hidden !== undefined || bytes.includes(0);
    const kinds = new Set([...found.map(({ kind }) => kind), ...(hidden === undefined ? [] : [hidden])]);
    for (const kind of kinds) onFinding(kind, !this.#stopped);
    if (!this.#stopped) this.#replace(found);
  }

  /** Whether the bytes are a text, which can be looked through, or what people send to models beside it. @see RECORD-7 */
  #mayPass(bytes: Buffer): boolean {
    this.#isMedium ??= isMedium(bytes);
    if (this.#isMedium || this.#options.allowUnscanned || isReadable(bytes)) return true;
    this.#stopped = true;
    this.#options.onUnscanned("neither text nor an image, audio or PDF");
    return false;
  }

  /** Puts the mark of a secret where it begins, and takes the rest of it out of the pieces that follow. */
  #replace(found: readonly FoundSecret[]): void {
    let begin = 0;
    this.#held = this.#held.map((chunk) => {
      const text = Buffer.from(chunk.bytes).toString("latin1");
      const end = begin + text.length;
      const parts = found.filter((one) => one.start < end && one.end > begin);
      const rest = parts.filter((one) => one.start < begin).map((one) => one.end - begin);
      const own = parts
        .filter((one) => one.start >= begin)
        .map((one) => ({ ...one, start: one.start - begin, end: Math.min(one.end, end) - begin }));
      const gone = Math.min(Math.max(0, ...rest), text.length);
      begin = end;
      if (parts.length === 0) return chunk;
      return { ...chunk, bytes: Buffer.from(replaceSecrets(text, own).slice(gone), "latin1") };
    });
    this.#heldBytes = this.#held.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
}
