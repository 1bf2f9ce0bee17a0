// What a command says that is interrupted: in one line, how far it came.

import { constants } from "node:os";
import { beforeEnding } from "../../kit/driver/process-group.ts";

/**
 * Until it is taken back, a signal ends the command with a line on stderr, and with the exit code of the signal.
 * @param howFar what follows the word `interrupted`
 * @returns takes it back
 */
export function sayWhenInterrupted(howFar: () => string): () => void {
  return beforeEnding((signal) => {
    console.error(`interrupted ${howFar()}`);
    process.exit(128 + constants.signals[signal]);
  });
}
