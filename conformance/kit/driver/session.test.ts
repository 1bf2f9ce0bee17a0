// What is the kit's own fault is blamed on no driver: it was held up, or it failed.

import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { DriverSession } from "./session.ts";
import { protocolVersion, specVersion } from "../base/protocol.ts";

const driver = fileURLToPath(new URL("../testing/fake-driver.ts", import.meta.url));
/** A run to which nothing is said. */
const quiet = { request() {}, notification() {}, onActivity() {} };

it("reads what the driver said before it calls it idle", async () => {
  const session = await DriverSession.start({ argv: ["node", driver, "good"] }, 20_000, { lateMessage: () => {} });
  const play = async () => {
    const answer = session.connection.request("initialize", { protocol: protocolVersion, spec: specVersion });
    for (const until = performance.now() + 1000; performance.now() < until;);
    return await answer;
  };
  try {
    await session.play("r1", { ...quiet, play }, { idleMs: 100, totalMs: 20_000 });
    expect(session.failure).toBeUndefined();
  } finally {
    await session.stop();
  }
});

it("tells the run of a failure of the kit, and goes on", async () => {
  const session = await DriverSession.start({ argv: ["node", driver, "good"] }, 20_000, { lateMessage: () => {} });
  const messages = [{ role: "user", content: "Hello." }];
  const params = {
    run: "r1",
    session: { spec_version: "1.0", id: "s", messages },
    agents: { main: { name: "main" } },
    agent: "main",
    model: { seam: "generic" },
  };
  const run = {
    ...quiet,
    play: () => session.connection.request("run", params),
    notification() {
      throw new TypeError("a mistake of the kit");
    },
  };
  await expect(session.play("r1", run, { idleMs: 20_000, totalMs: 20_000 })).rejects.toThrow(
    new TypeError("a mistake of the kit"),
  );
  await session.stop();
});
