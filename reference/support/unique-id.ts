// Ids that nobody else makes, also where the platform has no source of randomness but Math.random.

/** Sixteen bytes in hexadecimal digits. */
export function uniqueHex(): string {
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  return crypto?.randomUUID ? crypto.randomUUID().replaceAll("-", "") : plainHex();
}

/** In an engine that replays, Math.random is the engine's: the id is the same each time. */
export function plainHex(): string {
  return Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join("");
}
