// The models of the tour: each program is answered from the fixture that lies beside it, and from nowhere else.

import { fileURLToPath } from "node:url";
import { openTape, readFixture, type InProcessTape } from "../../traffic/in-process/index.ts";

/**
 * Plays `fixture.json` of the program's folder to the program. A request that differs from the recorded one is refused, and says
 * in which places; a program that leaves an exchange unused fails at its end.
 * @param program its `import.meta.url`
 * @see REPLAY-2 REPLAY-6
 */
export async function replayed(program: string): Promise<InProcessTape> {
  const tape = openTape(await readFixture(fileURLToPath(new URL("fixture.json", program))), { name: "the fixture" });
  process.once("beforeExit", () => tape.verify());
  return tape;
}
