// What every program beside this one asks a person.

import { createInterface } from "node:readline/promises";

/** Whether the person at the terminal says yes. */
export async function isAllowed(name: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y/i.test(await terminal.question(`${name}? (y/n) `));
  } finally {
    terminal.close();
  }
}
