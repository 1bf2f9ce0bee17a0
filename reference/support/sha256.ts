// SHA-256, also where the platform has none: a page over http, and the sandboxes of some workflow engines.

import { utf8Bytes } from "./utf8.ts";

/** What is used of the Web Crypto API; a platform may lack any of it. */
interface WebCrypto {
  subtle?: { digest(algorithm: string, data: Uint8Array): Promise<ArrayBuffer> };
}

/** The SHA-256 of the UTF-8 bytes of a text, in lower-case hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const bytes = utf8Bytes(text);
  const { subtle } = (globalThis as { crypto?: WebCrypto }).crypto ?? {};
  const digest = subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : plainSha256(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** As FIPS 180-4 has it, block by block. */
export function plainSha256(bytes: Uint8Array): Uint8Array {
  const blocks = padded(bytes);
  const hash = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.getUint32(at + i * 4);
    for (let i = 16; i < 64; i++)
      words[i] = words[i - 16]! + small(words[i - 15]!, 7, 18, 3) + words[i - 7]! + small(words[i - 2]!, 17, 19, 10);
    compress(hash, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => digest.setUint32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

/** A one bit, zeros, and the length in bits, up to whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const blocks = new Uint8Array(length);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  return view;
}

function compress(hash: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const one = (h + large(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + CONSTANTS[i]! + words[i]!) >>> 0;
    const two = (large(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = hash[i]! + word));
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function small(word: number, one: number, two: number, shift: number): number {
  return rotated(word, one) ^ rotated(word, two) ^ (word >>> shift);
}

function large(word: number, one: number, two: number, three: number): number {
  return rotated(word, one) ^ rotated(word, two) ^ rotated(word, three);
}

/** The first 64 primes: the fractions of their cube roots are the constants, those of the square roots of the first eight the beginning. */
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && !hasDivisor(n));

function hasDivisor(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return true;
  return false;
}

/** The first 32 bits of the fraction of a root. */
function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) >>> 0;
}

const CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
