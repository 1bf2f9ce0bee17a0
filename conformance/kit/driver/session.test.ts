// What is the kit's own fault is blamed on no driver: it was held up, or it failed.

import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ProtocolError } from "./errors.ts";
import { inProcess } from "./in-process.ts";
import { DriverSession } from "./session.ts";
import { protocolVersion, specVersion } from "../base/protocol.ts";

const driver = fileURLToPath(new URL("../testing/fake-driver.ts", import.meta.url));
/** A run to which nothing is said. */
const quiet = { request() {}, notification() {}, onActivity() {} };
const params = {
  run: "r1",
  session: { spec_version: "1.0", id: "s", messages: [{ role: "user", content: "Hello." }] },
  agents: { main: { name: "main" } },
  agent: "main",
  model: { seam: "generic" },
};

it("reads what the driver said before it calls it idle", async () => {
  const session = await DriverSession.start({ argv: ["node", driver, "good"] }, 20_000, { lateMessage: () => {} });
  const ask = () => session.connection.request("initialize", { protocol: protocolVersion, spec: specVersion });
  const play = async () => {
    const answer = ask();
    await new Promise((sent) => setImmediate(sent)); // what is said goes out when the kit has nothing else to do
    for (const until = performance.now() + 1000; performance.now() < until;);
    return await answer;
  };
  try {
    // How long it takes to start is another matter.
    await ask();
    await session.play("r1", { ...quiet, play }, { idleMs: 100, totalMs: 20_000 });
    expect(session.failure).toBeUndefined();
  } finally {
    await session.stop();
  }
});

it("holds the place of a run that it has given up until the driver has answered that one [KIT-30]", async () => {
  const [broke, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const command = inProcess((kit) => ({
    initialize: () => ({
      protocol: protocolVersion,
      implementation: { name: "slow", version: "1", language: "typescript" },
      seams: ["generic"],
      features: ["cancel"],
    }),
    run: async ({ run }) => {
      kit.notify("event", { run, event: { type: "run_start" } as never });
      broke.resolve();
      await gate.promise;
      throw new Error("it is over");
    },
    barrier: () => ({}),
  }));
  const session = await DriverSession.start(command, 20_000, { lateMessage: () => {} });
  const play = () => session.connection.request("run", params);
  let isFree = false;
  const givenUp = session
    .play("r1", { ...quiet, play }, { idleMs: 20_000, totalMs: 20_000 })
    .catch((error: unknown) => error)
    .finally(() => (isFree = true));
  await broke.promise;
  // What the driver answers after the breach comes after it.
  for (let round = 0; round < 3; round += 1) await session.connection.request("barrier", { run: "r1" });
  expect(isFree).toBe(false);
  gate.resolve();
  expect(await givenUp).toBeInstanceOf(ProtocolError);
  expect(session.failure).toBeUndefined();
  await session.stop();
});

it("tells the run of a failure of the kit, and goes on", async () => {
  const session = await DriverSession.start({ argv: ["node", driver, "good"] }, 20_000, { lateMessage: () => {} });
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
