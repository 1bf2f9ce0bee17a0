// The message of whatever was thrown.

/** Anything can be thrown, also what has no text: it must not throw again while it is reported. */
export function thrownText(thrown: unknown): string {
  try {
    return (thrown instanceof Error ? String(thrown.message) : String(thrown)).toWellFormed();
  } catch {
    return "a value that cannot be read as text";
  }
}
