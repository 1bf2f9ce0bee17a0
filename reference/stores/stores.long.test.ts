// What the stores of one machine guarantee: the contract of all stores, and what is particular to files and to SQLite.

import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { begin, keepsTheContract, started, suspended } from "../testing/store-contract.ts";
import type { JournalRecord } from "../../schemas/types.ts";
import { jsonlStore } from "./jsonl.ts";
import { sqliteStore } from "./sqlite.ts";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "stores-"))));
afterAll(() => rm(folder, { recursive: true }));

let made = 0;
const place = async (ending = "") => join(folder, `sessions-${(made += 1)}${ending}`);

describe("the jsonl store", () =>
  keepsTheContract({ kind: "jsonl", place, refusedIds: [], seesDeath: true, hasQueue: false }));

describe("the sqlite store", () =>
  keepsTheContract({ kind: "sqlite", place: () => place(".db"), refusedIds: [], seesDeath: true, hasQueue: true }));

describe.skipIf(process.platform === "win32")("for its owner only [JOURNAL-23]", () => {
  it("writes a folder of sessions", async () => {
    const where = await place();
    const session = await jsonlStore(where).open("s1");
    await session.append([begin("s1")]);
    for (const file of [where, ...(await readdir(where)).map((name) => join(where, name))])
      expect((await stat(file)).mode & 0o077, file).toBe(0);
    await session.close();
  });

  it("writes a database", async () => {
    const where = await place(".db");
    const store = await sqliteStore(where);
    await (await store.open("s1")).append([begin("s1")]);
    for (const file of [where, `${where}-wal`]) expect((await stat(file)).mode & 0o077, file).toBe(0);
    store.close();
  });
});

describe("where nothing can be written", () => {
  const advice = /^No session can be kept in .*: .*; name a place that can be written$/;
  const below = async () => {
    const file = await place(".txt");
    await writeFile(file, "");
    return join(file, "sessions");
  };

  it("a folder of sessions says so, and what to do", async () => {
    await expect(jsonlStore(await below()).open("s1")).rejects.toThrow(advice);
  });

  it("a database says so, and what to do", async () => {
    await expect(sqliteStore(await below())).rejects.toThrow(advice);
  });

  it.runIf(process.platform === "linux")("a folder in a file system that takes none says so, soon", async () => {
    await expect(jsonlStore("/proc/agent-loop/sessions").open("s1")).rejects.toThrow(advice);
  });
});

describe("a folder of sessions", () => {
  it("refuses an id that is too long for the name of a file, before it writes anything [JOURNAL-21]", async () => {
    const where = await place();
    await expect(jsonlStore(where).open("é".repeat(100))).rejects.toThrow(
      /too long for the name of a file: 606 bytes, at most 213/,
    );
    await expect(readdir(where)).rejects.toThrow("ENOENT");
  });

  it("passes over files of others [JOURNAL-22]", async () => {
    const where = await place();
    const store = jsonlStore(where);
    const session = await store.open("s1");
    await session.append([begin("s1")]);
    await session.close();
    for (const name of ["%zz.jsonl", "UPPER.jsonl", "notes.txt"]) await writeFile(join(where, name), "{}\n");
    expect((await store.list()).map(({ id }) => id)).toEqual(["s1"]);
  });

  it.skipIf(process.platform === "win32")("does not follow a link, to read or to write [JOURNAL-22]", async () => {
    const where = await place();
    const store = jsonlStore(where);
    await (await store.open("first")).close();
    const target = join(folder, "precious");
    await writeFile(target, "precious\n");
    await symlink(target, join(where, "planted.jsonl"));
    await expect(store.open("planted")).rejects.toThrow(/is a link/);
    await expect(store.read("planted")).rejects.toThrow(/is a link/);
    expect([await readFile(target, "utf8"), await store.list()]).toEqual(["precious\n", []]);
  });
});

describe("a claim on a file", () => {
  /** A claim that another process has left behind, whose lease ends so many milliseconds from now. */
  async function left(written: string, endsIn: number) {
    const where = await place();
    await mkdir(where);
    await writeFile(join(where, "s.jsonl"), `${JSON.stringify(begin("s"))}\n`);
    const file = join(where, "s.jsonl.00000000-0000-4000-8000-000000000000.lock");
    await writeFile(file, written);
    const end = new Date(Date.now() + endsIn);
    await utimes(file, end, end);
    return { where, store: jsonlStore(where) };
  }
  const elsewhere = JSON.stringify({ pid: 1, host: "another-host", started: "1" });

  it.each([
    ["of a process of another host", elsewhere],
    ["that was torn", ""],
  ])("%s is respected until its lease ends, and no longer [JOURNAL-28]", async (_, written) => {
    const { store } = await left(written, 60_000);
    await expect(store.open("s")).rejects.toThrow("open for writing elsewhere");
    const { store: later, where } = await left(written, -1);
    const session = await later.open("s");
    expect(await session.read()).toEqual([begin("s")]);
    await session.append([started]);
    await session.close();
    expect(await later.read("s")).toEqual([begin("s"), started]);
    expect(await readdir(where)).toEqual(["s.jsonl"]);
  });

  it("is inherited without the copies of those that have not finished taking it over", async () => {
    const { store, where } = await left(elsewhere, -1);
    for (const name of ["s", "other"]) await writeFile(join(where, `${name}.${"0".repeat(36)}.new`), "outdated");
    await (await store.open("s")).close();
    expect(await readdir(where)).toEqual([`other.${"0".repeat(36)}.new`, "s.jsonl"]);
  });

  it("is never seen without its content, whenever its process dies", async () => {
    const where = await place();
    const store = jsonlStore(where);
    const session = await store.open("s");
    const [name] = (await readdir(where)).filter((one) => one.endsWith(".lock"));
    expect(JSON.parse(await readFile(join(where, name!), "utf8"))).toMatchObject({ pid: process.pid });
    expect((await stat(join(where, name!))).mtimeMs).toBeGreaterThan(Date.now());
    await session.close();
    expect(await readdir(where)).toEqual(["s.jsonl"]);
  });

  it("is inherited with all that was acknowledged, and what its last holder writes later is not read [JOURNAL-27, JOURNAL-29]", async () => {
    const where = await place();
    let now = Date.now();
    const store = jsonlStore(where, { leaseMs: 1_000, clock: { now: () => now } });
    const one = await store.open("s");
    await one.append([begin("s")]);
    now += 1_001;
    const other = await store.open("s");
    const late = expect(one.append([started])).rejects.toThrow("taken over"); // as a process that stood still until now
    await other.append([suspended]);
    await late;
    expect(await other.read()).toEqual([begin("s"), suspended]);
    await other.close();
    await one.close();
    expect(await readdir(where)).toEqual(["s.jsonl"]);
  });
});

describe("a database", () => {
  it("that another process has locked holds the program up for at most 50 ms at a time", async () => {
    const where = await place(".db");
    const store = await sqliteStore(where);
    const session = await store.open("s");
    await session.append([begin("s")]);
    const other = new DatabaseSync(where);
    other.exec("BEGIN IMMEDIATE");
    let isKept = false;
    const kept = session.append([started]).then(() => (isKept = true));
    const stops: number[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const from = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 1));
      stops.push(performance.now() - from);
    }
    expect(isKept).toBe(false);
    expect(stops.toSorted((a, b) => a - b)[6]).toBeLessThan(60); // the machine itself may stand still now and then
    expect(Math.max(...stops)).toBeLessThan(2_000);
    other.exec("COMMIT");
    other.close();
    await kept;
    expect(await session.read()).toEqual([begin("s"), started]);
    store.close();
  });

  it("does what is asked for at the same moment in one transaction, and undoes only what fails", async () => {
    const store = await sqliteStore(await place(".db"));
    const [one, other] = [await store.open("s1"), await store.open("s2")];
    const outcomes = await Promise.allSettled([
      one.append([begin("s1")], { after: 0 }),
      other.append([begin("s2"), started], { after: 1 }),
      store.open("s1"),
      other.append([begin("s2")], { after: 0 }),
      one.append([started], { after: 1 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(await store.read("s1")).toEqual([begin("s1"), started]);
    expect(await store.read("s2")).toEqual([begin("s2")]);
    store.close();
  });

  it("that stays locked for longer than the lease fails, and says so", async () => {
    const where = await place(".db");
    const store = await sqliteStore(where, { leaseMs: 60 });
    const session = await store.open("s");
    const other = new DatabaseSync(where);
    other.exec("BEGIN IMMEDIATE");
    await expect(session.append([begin("s")])).rejects.toThrow("database is locked");
    other.exec("ROLLBACK");
    other.close();
    store.close();
  });
});

describe("a partial line", () => {
  const file = async (name: string, ...lines: string[]) => {
    const where = await mkdtemp(join(folder, "torn-"));
    await writeFile(join(where, `${name}.jsonl`), lines.join(""));
    return { store: jsonlStore(where), path: join(where, `${name}.jsonl`), where };
  };
  const line = (record: JournalRecord) => `${JSON.stringify(record)}\n`;

  it("is cut off and reported, wherever it was torn [JOURNAL-17]", async () => {
    const whole = line(begin("s"));
    const last = line(suspended);
    for (let length = 1; length < last.length; length += 7) {
      const { store, path, where } = await file("s", whole, last.slice(0, length));
      expect(await store.read("s")).toEqual([begin("s")]);
      expect(await readFile(path, "utf8")).not.toBe(whole); // reading changes nothing
      const opened = await store.open("s");
      expect(opened.torn).toBe(last.slice(0, length));
      await opened.append([started]);
      await opened.close();
      expect(await readFile(path, "utf8")).toBe(whole + line(started));
      expect(await readdir(where)).toEqual(["s.jsonl"]);
    }
  });

  it("may consist of zeros, which some file systems leave", async () => {
    const { store } = await file("s", line(begin("s")), "\0\0\0\0\n");
    const opened = await store.open("s");
    expect(opened.torn).toBe("\0\0\0\0\n");
    expect(await opened.read()).toEqual([begin("s")]);
    await opened.close();
  });

  it("that is not the last is damage, and nothing is written", async () => {
    const { store, path, where } = await file("s", line(begin("s")), '{"type":\n', line(started));
    await expect(store.open("s")).rejects.toThrow("Line 2");
    await expect(store.read("s")).rejects.toThrow("damaged");
    expect(await readFile(path, "utf8")).toContain('{"type":\n');
    expect(await readdir(where)).toEqual(["s.jsonl"]);
  });

  it("may be the first", async () => {
    const { store, path } = await file("s", '{"type":"beg');
    const opened = await store.open("s");
    expect(await opened.read()).toEqual([]);
    await opened.append([begin("s")]);
    await opened.close();
    expect(await readFile(path, "utf8")).toBe(line(begin("s")));
  });

  it("never costs the records of another writer", async () => {
    const { store, path } = await file("s", line(begin("s")));
    await appendFile(path, line(started));
    expect(await store.read("s")).toHaveLength(2);
  });
});
