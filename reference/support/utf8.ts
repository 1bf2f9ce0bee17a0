// Strings as UTF-8. Uses Node's Buffer, several times faster than TextEncoder, which is the fallback, or what the language has.

/** The part of Node's Buffer that is used. */
interface Buffers {
  byteLength(text: string): number;
  from(memory: ArrayBufferLike, at: number, length: number): { write(text: string): number };
}

const { Buffer: buffers } = globalThis as { Buffer?: Buffers };
/** Some sandboxes have no TextEncoder either. */
const encode = typeof TextEncoder === "function" ? encoded(new TextEncoder()) : plainUtf8;

function encoded(encoder: { encode(text: string): Uint8Array }): (text: string) => Uint8Array {
  return (text) => encoder.encode(text);
}

/** The bytes of a string, as the language encodes them for addresses. */
export function plainUtf8(text: string): Uint8Array {
  const escaped = encodeURIComponent(text.toWellFormed());
  const bytes = escaped.match(/%..|[^]/g) ?? [];
  return Uint8Array.from(bytes, (one) => (one.length === 3 ? Number.parseInt(one.slice(1), 16) : one.charCodeAt(0)));
}

/** The bytes of a string. */
export const utf8Bytes: (text: string) => Uint8Array = encode;

/** The length of a string in bytes. A lone surrogate counts as U+FFFD. */
export function utf8Length(text: string): number {
  return buffers ? buffers.byteLength(text) : encode(text).length;
}

/** Writes a string to the start of memory that has room for it. Returns the number of bytes written. */
export function writeUtf8(text: string, memory: Uint8Array): number {
  if (!buffers) {
    const bytes = encode(text);
    memory.set(bytes);
    return bytes.length;
  }
  return buffers.from(memory.buffer, memory.byteOffset, memory.length).write(text);
}
