// The error of a command line that asks for something that is not there.

/** What was asked for does not exist or makes no sense; the message says what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
