// The error for a command line that names something that does not exist.

/** What was asked for does not exist or makes no sense; the message says what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
