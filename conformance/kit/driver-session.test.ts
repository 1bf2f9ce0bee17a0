// A kit that was held up blames no driver for it: what was said meanwhile is read before a run is given up.

import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { CaseRun } from "./case-run.ts";
import { DriverSession, specVersion } from "./driver-session.ts";
import { protocolVersion } from "./protocol.ts";

const driver = fileURLToPath(new URL("testing/fake-driver.ts", import.meta.url));

it("reads what the driver said before it calls it idle", async () => {
  const session = await DriverSession.start({ argv: ["node", driver, "good"] }, 20_000, { afterwards: () => {} });
  const play = async () => {
    const answer = session.connection.request("initialize", { protocol: protocolVersion, spec: specVersion });
    for (const until = performance.now() + 1000; performance.now() < until;);
    return await answer;
  };
  try {
    await session.play("r1", { play } as unknown as CaseRun, 100, 20_000);
    expect(session.failure).toBeUndefined();
  } finally {
    await session.stop();
  }
});
