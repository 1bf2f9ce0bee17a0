// What every store guarantees, as tests: durable records, one writer, leases that end, forks that cannot approve twice, a queue.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { initSession, initState } from "../core/session.ts";
import { UNKNOWN } from "../core/usage.ts";
import { foldJournal, SupersededError } from "../state/journal-records.ts";
import type { LeaseOptions } from "../stores/lease.ts";
import { SessionInUseError, type OpenSession, type QueueStore, type SessionStore } from "../stores/session-store.ts";
import { virtualClock } from "../support/clock.ts";
import { openStore, type StoreName } from "./open-store.ts";
import type { JournalRecord, Step } from "../../schemas/types.ts";

/** A store under test. */
export interface StoreTraits {
  kind: StoreName;
  /** A new, empty place for sessions, as `openStore` takes it. */
  place(): Promise<string>;
  /** Ids that it cannot keep, beside those that no store can. */
  refusedIds: readonly string[];
  /** It sees at once that a process of this machine has died, without waiting for the end of a lease. */
  seesDeath: boolean;
  /** Sessions can wait in it for workers. */
  hasQueue: boolean;
}

export const begin = (id: string): JournalRecord => ({
  type: "begin",
  spec_version: "1.0",
  snapshot: initState(initSession({ id, user: "Go." }), "main"),
});
export const started: JournalRecord = { type: "tool_started", id: "c1", name: "write" };
const call = { type: "tool_call", id: "c1", name: "write", input: {} } as const;
const step: Step = {
  turn: 1,
  agent: "main",
  stop_reason: "tool_use",
  raw_stop_reason: null,
  usage: UNKNOWN,
  tool_calls: 1,
  outcomes: [],
};
export const suspended: JournalRecord = {
  type: "transition",
  phase: "suspended",
  turn: 1,
  messages: { from: 1, items: [{ role: "assistant", content: "I write." }, call] },
  steps: { from: 0, items: [step] },
  set: { response_start: 1, decisions: [{ do: "ask", approval: true }], ending: { status: "suspended" } },
};

const oddIds = [
  "../../x",
  "..",
  ".",
  "",
  "a/b",
  "a\\b",
  "\0",
  "caf\u00e9",
  "cafe\u0301",
  "A",
  "a",
  "con",
  "%2e%2e",
  "a.jsonl",
  "a\nb",
  "*",
  "~",
  "-rf",
  "__proto__",
];
const leaseMs = 9_000;

export function keepsTheContract({ kind, place, refusedIds, seesDeath, hasQueue }: StoreTraits): void {
  const ends: (() => Promise<void>)[] = [];
  let where: string;
  beforeEach(async () => void (where = await place()));
  afterEach(async () => {
    vi.useRealTimers();
    for (const end of ends.splice(0)) await end();
  });

  /** A connection to the place of the test. */
  async function connect(options?: LeaseOptions): Promise<SessionStore> {
    const { store, end } = await openStore(kind, where, options);
    ends.push(end);
    return store;
  }

  async function write(store: SessionStore, id: string, ...records: JournalRecord[]): Promise<void> {
    const session = await store.open(id);
    await session.append(records);
    await session.close();
  }

  it.each(oddIds.filter((id) => !refusedIds.includes(id)))(
    "keeps a session with the id %j apart from all others",
    async (id) => {
      const store = await connect();
      for (const one of [id, `${id}0`]) await write(store, one, begin(one));
      expect([await store.read(id), await store.read(`${id}0`)]).toEqual([[begin(id)], [begin(`${id}0`)]]);
      expect((await store.list()).map((entry) => entry.id).sort()).toEqual([id, `${id}0`].sort());
    },
  );

  it.each(["\ud800", "a\udfffb", ...refusedIds])("refuses the id %j, which it cannot keep [JOURNAL-21]", async (id) => {
    const store = await connect();
    await expect(store.open(id)).rejects.toThrow(/Choose another id/);
    await expect(store.read(id)).rejects.toThrow(/Choose another id/);
    expect(await store.list()).toEqual([]);
  });

  it("keeps records in order when reopened", async () => {
    const store = await connect();
    const one = await store.open("s1");
    expect(await one.read()).toEqual([]);
    await one.append([begin("s1")]);
    await Promise.all([one.append([suspended]), one.append([started])]);
    await one.close();
    const again = await store.open("s1");
    expect(again.torn).toBeUndefined();
    expect(await again.read()).toEqual([begin("s1"), suspended, started]);
    await again.append([started]);
    await again.close();
    expect(await store.read("s1")).toHaveLength(4);
    expect(await store.read("nobody")).toEqual([]);
  });

  it("keeps the bytes of a record: order of keys, characters without a letter, halves of pairs", async () => {
    const store = await connect();
    const odd: JournalRecord = {
      type: "tool_started",
      id: "\0\ud800",
      name: "z\u2028",
      ...{ z: 1, a: { y: "é", b: 1e21 } },
    };
    await write(store, "s1", begin("s1"), odd);
    expect(JSON.stringify((await store.read("s1")).at(-1))).toBe(JSON.stringify(odd));
  });

  it("returns the session for the next run, including the first", async () => {
    const one = await (await connect()).open("s1");
    expect(await one.session()).toEqual({ spec_version: "1.0", id: "s1", messages: [] });
    await one.append([begin("s1"), suspended]);
    const { messages } = await one.session();
    expect(messages.slice(1)).toEqual([{ role: "assistant", content: "I write." }, call]);
    await one.close();
  });

  it("writes nothing once it is closed", async () => {
    const store = await connect();
    const one = await store.open("s1");
    await one.append([begin("s1")]);
    await one.close();
    await one.close();
    await expect(one.append([started])).rejects.toThrow("Open it again");
    expect(await store.read("s1")).toHaveLength(1);
  });

  it("refuses a second writer, including from another store, until the first closes [JOURNAL-16]", async () => {
    const [store, other] = [await connect(), await connect()];
    const one = await store.open("s1");
    await expect(store.open("s1")).rejects.toThrow(SessionInUseError);
    await expect(other.open("s1")).rejects.toThrow(`process ${process.pid}`);
    await (await other.open("s2")).close();
    await one.close();
    await (await other.open("s1")).close();
  });

  it("opens the session for at most one of many concurrent writers", async () => {
    const store = await connect();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => store.open("s1")));
    const opened = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(opened.length).toBeLessThanOrEqual(1);
    for (const one of opened) await one.close();
  });

  it("refuses a second writer while another process has it open, but not once that is killed [JOURNAL-16, JOURNAL-18]", async () => {
    const program = fileURLToPath(new URL("./holds-session.ts", import.meta.url));
    const child = spawn(process.execPath, [program, kind, where], { stdio: ["pipe", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const store = await connect();
    await expect(store.open("held")).rejects.toThrow(`process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "close");
    const later = seesDeath ? store : await connect({ clock: { now: () => Date.now() + 60_000 } });
    const taken = await later.open("held");
    expect(await taken.read()).toEqual([begin("held")]);
    await taken.close();
  });

  it("lists the written sessions, latest first, for any ids", async () => {
    const store = await connect();
    const ids = ["a", "A", "../up", ".", "Ürümqi / 乌鲁木齐", "con", "a%2fb", "x".repeat(60)];
    for (const id of ids) await write(store, id, begin(id));
    await (await store.open("empty")).close();
    const listed = await store.list();
    expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(listed.map(({ updated_at }) => updated_at)).toEqual(
      listed.map(({ updated_at }) => updated_at).sort((one, other) => other - one),
    );
    for (const id of ids) expect(await store.read(id)).toEqual([begin(id)]);
  });

  it("forks the messages, but not pending calls [JOURNAL-19]", async () => {
    const store = await connect();
    const one = await store.open("s1");
    await one.append([begin("s1"), suspended]);
    await store.fork("s1", "s2"); // also while it is open
    await one.close();
    expect(foldJournal(await store.read("s1")).phase).toBe("suspended");
    const fork = foldJournal(await store.read("s2"));
    expect(fork).toMatchObject({ phase: "done", ending: { status: "cancelled" }, decisions: [] });
    expect(fork.session).toEqual({ ...initSession({ id: "s2", user: "Go." }) });
    await expect(store.fork("s1", "s2")).rejects.toThrow("The session s2 already exists");
    await expect(store.fork("nobody", "s3")).rejects.toThrow("empty");
    expect((await store.list()).map(({ id }) => id).sort()).toEqual(["s1", "s2"]);
  });

  it("refuses records behind others than their writer knows, and keeps none of them [JOURNAL-27]", async () => {
    const one = await (await connect()).open("s1");
    await one.append([begin("s1")], { after: 0 });
    for (const after of [0, 2]) await expect(one.append([started], { after })).rejects.toThrow(SupersededError);
    await one.append([suspended, started], { after: 1 });
    await one.append([started], { after: 3 });
    expect(await one.read()).toEqual([begin("s1"), suspended, started, started]);
    await one.close();
  });

  describe("when a lease has ended", () => {
    /** A writer that has given no sign of life for the length of its lease, and the one that has taken its place. */
    async function replaced(): Promise<{ one: OpenSession; other: OpenSession; store: SessionStore }> {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }); // no sign of life
      const clock = virtualClock(Date.now());
      const one = await (await connect({ leaseMs, clock })).open("s1");
      ends.unshift(() => one.close());
      await one.append([begin("s1")]);
      const store = await connect({ leaseMs, clock });
      clock.advance(leaseMs - 1);
      await expect(store.open("s1")).rejects.toThrow(SessionInUseError);
      clock.advance(2);
      return { one, other: await store.open("s1"), store };
    }

    it("opens the session for another writer, although the process lives [JOURNAL-28]", async () => {
      const { other } = await replaced();
      expect(await other.read()).toEqual([begin("s1")]);
      await other.close();
    });

    it("refuses the writer that was replaced, before and after the next one has written [JOURNAL-27]", async () => {
      const { one, other, store } = await replaced();
      await expect(one.append([started])).rejects.toThrow(SupersededError);
      await other.append([suspended]);
      await expect(one.append([started], { after: 1 })).rejects.toThrow(SupersededError);
      expect(await store.read("s1")).toEqual([begin("s1"), suspended]);
      expect(await other.read()).toEqual([begin("s1"), suspended]);
      await other.close();
    });

    it("does not let the writer that was replaced release the session of the next one", async () => {
      const { one, other, store } = await replaced();
      await one.close();
      await expect(store.open("s1")).rejects.toThrow(SessionInUseError);
      await other.append([suspended]);
      await other.close();
      await (await store.open("s1")).close();
    });
  });

  it("keeps the session of a writer that does nothing, as long as its process gives signs of life [JOURNAL-28]", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const clock = virtualClock(Date.now());
    const store = await connect({ leaseMs, clock });
    const one = await store.open("s1");
    await one.append([begin("s1")]);
    for (let third = 0; third < 7; third += 1) {
      clock.advance(leaseMs / 3);
      vi.advanceTimersByTime(leaseMs / 3);
      await expect(store.open("s1")).rejects.toThrow(SessionInUseError); // behind the sign of life, in its queue
    }
    await one.append([started]);
    await one.close();
  });

  it.each([0, -1, Number.NaN])("refuses a lease of %d ms", async (ms) => {
    await expect(connect({ leaseMs: ms })).rejects.toThrow(/lease of more than 0 ms/);
  });

  describe.runIf(hasQueue)("as a queue", () => {
    const queue = async (options?: LeaseOptions) => (await connect(options)) as QueueStore;

    it("hands out the session that has waited longest, with all its jobs, and none that is open", async () => {
      const store = await queue();
      expect(await store.take()).toBeUndefined();
      await store.enqueue("s1", { begin: "a" });
      await store.enqueue("s2", { begin: "b" });
      await store.enqueue("s1", [1, null, "\ud83d\ude00"]);
      const [one, two] = [await store.take(), await store.take()];
      expect([one?.id, one?.jobs, two?.id, two?.jobs]).toEqual([
        "s1",
        [{ begin: "a" }, [1, null, "\ud83d\ude00"]],
        "s2",
        [{ begin: "b" }],
      ]);
      expect(await store.take()).toBeUndefined();
      await expect(store.open("s1")).rejects.toThrow(SessionInUseError);
      for (const taken of [one!, two!]) {
        await taken.append([begin(taken.id)]);
        await taken.done();
        await taken.close();
      }
      expect(await store.take()).toBeUndefined();
    });

    it("loses no job that comes while its session is taken", async () => {
      const [store, other] = [await queue(), await queue()];
      await store.enqueue("s1", "begin");
      const first = await store.take();
      await other.enqueue("s1", "decisions");
      await first!.done();
      expect(await other.take()).toBeUndefined(); // it is open
      await first!.close();
      const second = await other.take();
      expect(second?.jobs).toEqual(["decisions"]);
      await second!.done();
      await second!.close();
      expect(await other.take()).toBeUndefined();
    });

    it("hands a session out again that was closed without being done, behind the others", async () => {
      const clock = virtualClock(Date.now());
      const store = await queue({ clock });
      for (const id of ["s1", "s2"]) {
        clock.advance(10);
        await store.enqueue(id, id);
      }
      clock.advance(10);
      await (await store.take())!.close();
      const taken = [await store.take(), await store.take()];
      expect(taken.map((one) => one?.id)).toEqual(["s2", "s1"]);
      for (const one of taken) await one!.close();
    });

    it("hands a session out again when the lease of its worker has ended, who can then say nothing of it", async () => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      const clock = virtualClock(Date.now());
      const store = await queue({ leaseMs, clock });
      await store.enqueue("s1", "begin");
      const first = await store.take();
      clock.advance(leaseMs + 1);
      const second = await store.take();
      expect(second?.jobs).toEqual(["begin"]);
      await expect(first!.done()).rejects.toThrow(SupersededError);
      await expect(first!.append([begin("s1")])).rejects.toThrow(SupersededError);
      await second!.append([begin("s1")]);
      await second!.done();
      await second!.close();
      expect(await store.take()).toBeUndefined();
    });

    it("gives each of many sessions to one of many workers", async () => {
      const stores = [await queue(), await queue()];
      const ids = Array.from({ length: 12 }, (_, i) => `s${i}`);
      for (const id of ids) await stores[0]!.enqueue(id, id);
      const taken = await Promise.all(Array.from({ length: 16 }, (_, i) => stores[i % 2]!.take()));
      const found = taken.filter((one) => one !== undefined);
      expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
      for (const one of found) await one.close();
    });

    it.each(["\ud800", ...refusedIds])("refuses a job for the id %j, which it cannot keep [JOURNAL-21]", async (id) => {
      const store = await queue();
      await expect(store.enqueue(id, 1)).rejects.toThrow(/Choose another id/);
      expect(await store.take()).toBeUndefined();
    });
  });
}
