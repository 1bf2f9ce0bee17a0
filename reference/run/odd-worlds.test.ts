// What ran is told as it ran, whatever a tool returns, a model writes, or breaks afterwards. A larger search: odd-worlds.long.test.ts.

import fc from "fast-check";
import { it } from "vitest";

import { lies, oddWorld } from "../testing/odd-world.ts";

it("tells nothing of a call that ran but what it did, and does not break [TOOL-16, SESSION-8, SESSION-25]", async () => {
  const honest = fc.asyncProperty(oddWorld, async (world) => {
    const found = await lies(world);
    if (found.length > 0) throw new Error(found.join("\n"));
  });
  await fc.assert(honest, { numRuns: 60, seed: 1 });
});
