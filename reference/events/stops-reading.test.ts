// A consumer that stops reading events: the run is unaffected, and the queue of the consumer is freed.

import { beforeAll, describe, expect, it } from "vitest";

import { agentLoop, type Run } from "../run/run.ts";
import { initSession } from "../core/session.ts";
import { catalogue } from "../testing/catalogue.ts";
import { stillHeld } from "../testing/collect-garbage.ts";
import { warmUp } from "../testing/live.ts";
import { World } from "../testing/scripted-world.ts";
import type { LoopEvent } from "../../schemas/types.ts";

beforeAll(warmUp);

const session = initSession({ id: "s", user: "Go." });

/** One run of a scenario, with or without a reader. */
async function played(read: (run: Run) => unknown): Promise<string> {
  const world = new World(catalogue["a batch with a barrier"]!);
  const { provider, tools, clock } = world;
  const run = agentLoop({ session, provider, tools, clock, newId: () => world.newId() });
  let over = false;
  const ended = Promise.all([run.result, run.session]).then((all) => {
    over = true;
    return all;
  });
  const reading = read(run);
  while (!over) {
    await world.turn();
    await world.turn();
    world.advance();
  }
  await reading;
  return JSON.stringify([await ended, world.asked.map(({ json }) => json), world.clock.now()]);
}

async function readAll(run: Run): Promise<LoopEvent[]> {
  const events: LoopEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

describe("a run", () => {
  it("is the same whether its events are read, half read, or not read", async () => {
    const read = await played(readAll);
    const half = await played(async (run) => {
      for await (const event of run) if (event.type === "tool_start") break;
    });
    const thrown = await played(async (run) => {
      const reading = (async () => {
        for await (const event of run) throw new Error(event.type);
      })();
      await expect(reading).rejects.toThrow("run_start");
    });
    const opened = await played((run) => void run[Symbol.asyncIterator]());
    const once = await played(async (run) => void (await run[Symbol.asyncIterator]().next()));
    const never = await played(() => undefined);
    expect([half, thrown, opened, once, never]).toEqual([read, read, read, read, read]);
  });

  it("drops one consumer without affecting another", async () => {
    let all: LoopEvent[] = [];
    await played(async (run) => {
      const reading = readAll(run);
      for await (const event of run) if (event.type === "model_end") break;
      all = await reading;
    });
    expect(all.at(-1)?.type).toBe("run_end");
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i));
  });
});

describe("a consumer", () => {
  it("that stops while a read is pending gets `done`", async () => {
    await played(async (run) => {
      const events = run[Symbol.asyncIterator]();
      const waiting = events.next();
      await events.return!();
      expect(await waiting).toEqual({ value: undefined, done: true });
    });
  });

  it("with several pending reads gets an event for each", async () => {
    await played(async (run) => {
      const events = run[Symbol.asyncIterator]();
      const first = await Promise.all([events.next(), events.next(), events.next()]);
      expect(first.map(({ value }) => (value as LoopEvent | undefined)?.seq)).toEqual([0, 1, 2]);
    });
  });
});

describe("the queue of a consumer", () => {
  const weakly = async (run: Run, into: WeakRef<LoopEvent>[]) => {
    for await (const event of run) into.push(new WeakRef(event));
  };

  it("is freed when it stops, even if the consumer is still referenced", async () => {
    const seen: WeakRef<LoopEvent>[] = [];
    const kept: unknown[] = [];
    await played(async (run) => {
      const events = run[Symbol.asyncIterator]();
      kept.push(run, events);
      await Promise.all([events.next(), weakly(run, seen)]);
      await events.return!();
    });
    expect(seen.length).toBeGreaterThan(10);
    expect(await stillHeld(seen)).toBe(0);
    expect(kept).toHaveLength(2);
  });

  it("is freed together with an abandoned consumer once the run has ended", async () => {
    const seen: WeakRef<LoopEvent>[] = [];
    const kept: unknown[] = [];
    await played(async (run) => {
      kept.push(run);
      void run[Symbol.asyncIterator]().next();
      await weakly(run, seen);
    });
    expect(await stillHeld(seen)).toBe(0);
    expect(kept).toHaveLength(1);
  });
});
