// What a compressed answer says, piece by piece as it comes: some servers compress although nobody asked for it.

import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Takes the coding from a piece of a body. @throws Error if the body is not compressed as it says */
export type Decode = (bytes: Buffer) => Promise<Buffer>;

const decoders = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** How the pieces of a body are read whose header is given. @returns nothing for a coding that is not known */
export function decodeOf(coding = "identity"): Decode | undefined {
  const name = coding.trim().toLowerCase();
  if (name === "identity" || name === "") return async (bytes) => bytes;
  if (!isKnown(name)) return undefined;
  const pieces: Buffer[] = [];
  const stream = decoders[name]();
  const failed = new Promise<never>((_, reject) => stream.on("error", reject));
  // It may fail when nobody waits for a piece.
  failed.catch(() => {});
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  return async (bytes) => {
    const written = new Promise((resolve) => stream.write(bytes, resolve));
    await Promise.race([written, failed]);
    if (stream.errored) throw stream.errored;
    return Buffer.concat(pieces.splice(0));
  };
}

/** Why an answer in a coding is not kept. */
export function codingProblem(coding: string | undefined): string {
  return `answered in the content coding ${JSON.stringify(coding)} and not in "identity", which was asked for; expected one of ${Object.keys(decoders).join(", ")}, and a body that is so compressed. Switch the compression of this server off`;
}

function isKnown(name: string): name is keyof typeof decoders {
  return Object.hasOwn(decoders, name);
}
