// Reads the bodies of requests, none of which is too large, nor all together.

import type { IncomingMessage } from "node:http";
import { maxBodyBytes, maxBytesOnTheWay, TooMuchError } from "./server-limits.ts";

const mebibyte = 1024 * 1024;

/** Reads bodies, and knows how much of them is on its way. @see REPLAY-19 */
export class BodyReader {
  #bytes = 0;

  /**
   * Calls back with the whole body of a request, or with why it is not read; never for a client that disconnects. What is not read is
   * received no further.
   */
  read(request: IncomingMessage, then: (body: Buffer | TooMuchError) => void): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const free = () => {
      this.#bytes -= bytes;
      bytes = 0;
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      this.#bytes += chunk.length;
      const refusal = this.#refusal(bytes);
      if (refusal === undefined) return;
      request.off("data", take).pause();
      chunks.length = 0;
      free();
      then(refusal);
    };
    request.on("error", () => {});
    request.on("data", take);
    request.on("close", free);
    request.on("end", () => {
      free();
      then(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
  }

  #refusal(bytes: number): TooMuchError | undefined {
    if (bytes > maxBodyBytes)
      return new TooMuchError(
        413,
        `the body is larger than ${maxBodyBytes / mebibyte} MiB, which no provider takes; send a smaller one`,
      );
    if (this.#bytes > maxBytesOnTheWay)
      return new TooMuchError(
        503,
        `bodies of more than ${maxBytesOnTheWay / mebibyte} MiB are on their way at once; send fewer of them at a time`,
      );
    return undefined;
  }
}
