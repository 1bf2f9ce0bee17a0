// Scans a response for secrets, including those split over its pieces, before it is written.

import type { Chunk } from "../../kit/wire/fixture-bytes.ts";
import { textOf } from "../../kit/wire/fixture-bytes.ts";
import type { Finding, Scan } from "../fixture/secrets.ts";
import { textsIn } from "../fixture/body-text.ts";

/** How much is received between two scans. */
const stepBytes = 1024 * 1024;

/**
 * How far what is written trails what was received, in bytes. A secret that is spread over more than this much of a stream is not
 * found; one letter in each event, with 250 bytes of JSON around it, makes about a thousand letters.
 */
export const trailingBytes = 256 * 1024;

/** A secret in a stream. */
export interface StreamFinding extends Finding {
  /** Whether it is split over several pieces or events, so that there is no one place to replace it in. */
  split: boolean;
}

/** What the guard does with what it has seen. */
export interface GuardedStreamOptions {
  scan: Scan;
  /** Called with each secret before anything around it is written; returns whether to continue with it replaced. */
  onFinding(finding: StreamFinding): "replace" | "stop";
  replace(text: string, findings: readonly Finding[]): string;
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

  constructor(options: GuardedStreamOptions) {
    this.#options = options;
  }

  /** Whether a secret was found that may not be replaced: nothing more is written. */
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
    await this.#inspect();
    if (this.#stopped) return;
    const free: Chunk[] = [];
    while (this.#held.length > 0 && this.#heldBytes - this.#held[0]!.bytes.length >= trailing) {
      const chunk = this.#held.shift()!;
      this.#heldBytes -= chunk.bytes.length;
      free.push(chunk);
    }
    if (free.length > 0) this.#options.write(free);
  }

  async #inspect(): Promise<void> {
    const { scan } = this.#options;
    const findings = await scan(this.#text());
    for (const finding of findings) this.#decide({ ...finding, split: this.#isSplit(finding) });
    if (this.#stopped) return;
    if (findings.length > 0) await this.#replaceInPieces();
    // Texts are looked through together; a line break keeps them apart.
    const decoded = textsIn(this.#text()).join("\n");
    if (decoded === "") return;
    for (const finding of await scan(decoded)) this.#decide({ ...finding, split: true });
  }

  /** What is held, one letter for each byte, so that places in it are places in the pieces. */
  #text(): string {
    return Buffer.concat(this.#held.map(({ bytes }) => bytes)).toString("latin1");
  }

  /** Replaces what stands whole in one piece. */
  async #replaceInPieces(): Promise<void> {
    for (const [at, chunk] of this.#held.entries()) {
      const text = textOf(chunk.bytes);
      const findings = text === undefined ? [] : await this.#options.scan(text);
      if (findings.length > 0)
        this.#held[at] = { ...chunk, bytes: Buffer.from(this.#options.replace(text!, findings)) };
    }
    this.#heldBytes = this.#held.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  #isSplit({ start, end }: Finding): boolean {
    let begin = 0;
    for (const { bytes } of this.#held) {
      if (start < begin + bytes.length) return end > begin + bytes.length;
      begin += bytes.length;
    }
    return false;
  }

  #decide(finding: StreamFinding): void {
    if (this.#options.onFinding(finding) === "stop" || finding.split) this.#stopped = true;
  }
}
