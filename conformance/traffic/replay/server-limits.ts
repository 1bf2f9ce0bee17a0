// What a server of tapes takes at most, so that no client, and no number of them, takes its memory.

/** Larger bodies are refused by the providers too. */
export const maxBodyBytes = 32 * 1024 * 1024;

/** What all bodies together may take that are on their way. */
export const maxBytesOnTheWay = 16 * maxBodyBytes;

/** How many tapes may be open: a test that forgets to close its own leaves one behind at each run. */
export const maxTapes = 1000;

/** What the fixtures of all open tapes may take that were sent with their requests. */
export const maxFixtureBytes = 16 * maxBodyBytes;

/** How many problems a verdict lists. The first ones say what went wrong. */
export const maxProblems = 1000;

/** A request for more than the server takes. */
export class TooMuchError extends Error {
  override readonly name = "TooMuchError";
  /** 413 for a body, 503 for all of them together. */
  readonly status: 413 | 503;

  constructor(status: 413 | 503, message: string) {
    super(message);
    this.status = status;
  }
}
