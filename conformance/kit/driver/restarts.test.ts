// A driver that was started again is the driver that it was, or nothing more is played with it.

import { expect, it } from "vitest";
import type { InitializeResult } from "../../../schemas/types.ts";
import { StartError } from "./errors.ts";
import { inProcess } from "./in-process.ts";
import { Restarts } from "./restarts.ts";

const introduced: InitializeResult = {
  protocol: 1,
  implementation: { name: "twice", version: "1", language: "typescript" },
  seams: ["generic"],
  features: ["cancel", "stop"],
  reports: ["session"],
};

/** A driver that says each time what stands there, and dies of its first run. */
function restarted(...said: InitializeResult[]): Restarts {
  const starts = said.values();
  const command = inProcess((kit) => ({
    initialize: () => starts.next().value!,
    run: () => {
      kit.notify("event", { run: "nobody", event: {} as never });
      return {};
    },
    barrier: () => ({}),
  }));
  return new Restarts({ command, startMs: 20_000, listener: { lateMessage: () => undefined } });
}

/** Starts the driver, lets it die, and starts it again. */
async function again(lives: Restarts) {
  const first = await lives.current();
  const run = { play: () => first.connection.request("run", params), request() {}, notification() {}, onActivity() {} };
  await first.play("r1", run, { idleMs: 20_000, totalMs: 20_000 }).catch(() => undefined);
  expect(first.failure).toBeDefined();
  return await lives.current();
}

const params = {
  run: "r1",
  session: { spec_version: "1.0", id: "s", messages: [] },
  agents: { main: { name: "main" } },
  agent: "main",
  model: { seam: "generic" },
};

it("goes on with one that introduces itself as before, in whatever order [KIT-42]", async () => {
  const lives = restarted(introduced, { ...introduced, features: ["stop", "cancel"] });
  expect((await again(lives)).failure).toBeUndefined();
  await lives.stop();
});

it("plays nothing more with one that declares less than at first [DRIVER-36, KIT-42]", async () => {
  const lives = restarted(introduced, { ...introduced, reports: [] }, introduced);
  await expect(again(lives)).rejects.toThrow(StartError);
  await expect(lives.current()).rejects.toThrow(/it says reports \[\] where it said \["session"\]/);
  await lives.stop();
});
