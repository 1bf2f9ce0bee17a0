// What both stores guarantee: durable records, one writer, forks that cannot approve twice, and recovery from torn lines.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { initSession, initState } from "../core/session.ts";
import { foldJournal } from "../state/journal-records.ts";
import type { JournalRecord } from "../../schemas/types.ts";
import { jsonlStore } from "./jsonl.ts";
import { SessionInUseError, type SessionStore } from "./session-store.ts";
import { sqliteStore } from "./sqlite.ts";

let folder: string;
const closing: (() => void)[] = [];
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "stores-"))));
afterAll(async () => {
  for (const close of closing) close();
  await rm(folder, { recursive: true });
});

const begin = (id: string): JournalRecord => ({
  type: "begin",
  spec_version: "1.0",
  snapshot: initState(initSession({ id, user: "Go." }), "main"),
});
const started: JournalRecord = { type: "tool_started", id: "c1", name: "write" };
const call = { type: "tool_call", id: "c1", name: "write", input: {} } as const;
const suspended: JournalRecord = {
  type: "transition",
  phase: "suspended",
  turn: 1,
  messages: { from: 1, items: [{ role: "assistant", content: "I write." }, call] },
  set: { response_start: 1, decisions: [{ do: "ask", approval: true }], ending: { status: "suspended" } },
};

let made = 0;
const stores: Record<string, () => Promise<{ store: SessionStore; where: string }>> = {
  jsonl: async () => {
    const where = join(folder, `sessions-${(made += 1)}`);
    return { store: jsonlStore(where), where };
  },
  sqlite: async () => {
    const where = join(folder, `sessions-${(made += 1)}.db`);
    const store = await sqliteStore(where);
    closing.push(() => store.close());
    return { store, where };
  },
};

describe("a folder of sessions", () => {
  it("refuses an id that is too long for the name of a file, before it writes anything", async () => {
    const { store, where } = await stores["jsonl"]!();
    await expect(store.open("é".repeat(100))).rejects.toThrow(
      /too long for the name of a file: 606 bytes, at most 213/,
    );
    await expect(readdir(where)).rejects.toThrow("ENOENT");
  });

  it("passes over files of others", async () => {
    const { store, where } = await stores["jsonl"]!();
    const session = await store.open("s1");
    await session.append([begin("s1")]);
    await session.close();
    for (const name of ["%zz.jsonl", "UPPER.jsonl", "notes.txt"]) await writeFile(join(where, name), "{}\n");
    expect((await store.list()).map(({ id }) => id)).toEqual(["s1"]);
  });

  it.skipIf(process.platform === "win32")("does not follow a link, to read or to write", async () => {
    const { store, where } = await stores["jsonl"]!();
    await (await store.open("first")).close();
    const target = join(folder, "precious");
    await writeFile(target, "precious\n");
    await symlink(target, join(where, "planted.jsonl"));
    await expect(store.open("planted")).rejects.toThrow(/is a link/);
    await expect(store.read("planted")).rejects.toThrow(/is a link/);
    expect([await readFile(target, "utf8"), await store.list()]).toEqual(["precious\n", []]);
  });
});

describe.each(Object.entries(stores))("the %s store", (kind, make) => {
  it.each([
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
  ])("keeps a session with the id %j apart from all others", async (id) => {
    const { store } = await make();
    for (const one of [id, `${id}0`]) {
      const session = await store.open(one);
      await session.append([begin(one)]);
      await session.close();
    }
    expect([await store.read(id), await store.read(`${id}0`)]).toEqual([[begin(id)], [begin(`${id}0`)]]);
    expect((await store.list()).map((entry) => entry.id).sort()).toEqual([id, `${id}0`].sort());
  });

  it.each(["\ud800", "a\udfffb"])("refuses the id %j, of which two would be one", async (id) => {
    const { store } = await make();
    await expect(store.open(id)).rejects.toThrow(/half of a surrogate pair/);
    await expect(store.read(id)).rejects.toThrow(/half of a surrogate pair/);
    expect(await store.list()).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("writes for its owner only", async () => {
    const { store, where } = await make();
    const session = await store.open("s1");
    await session.append([begin("s1")]);
    const files = kind === "jsonl" ? (await readdir(where)).map((name) => join(where, name)) : [where, `${where}-wal`];
    for (const file of [...files, ...(kind === "jsonl" ? [where] : [])])
      expect((await stat(file)).mode & 0o077, file).toBe(0);
    await session.close();
  });

  it("keeps records in order when reopened", async () => {
    const { store } = await make();
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

  it("returns the session for the next run, including the first", async () => {
    const { store } = await make();
    const one = await store.open("s1");
    expect(await one.session()).toEqual({ spec_version: "1.0", id: "s1", messages: [] });
    await one.append([begin("s1"), suspended]);
    const { messages } = await one.session();
    expect(messages.slice(1)).toEqual([{ role: "assistant", content: "I write." }, call]);
    await one.close();
  });

  it("writes nothing once it is closed", async () => {
    const { store } = await make();
    const one = await store.open("s1");
    await one.append([begin("s1")]);
    await one.close();
    await one.close();
    await expect(one.append([started])).rejects.toThrow("Open it again");
    expect(await store.read("s1")).toHaveLength(1);
  });

  it("refuses a second writer, including from another store, until the first closes [JOURNAL-16]", async () => {
    const { store, where } = await make();
    const other = kind === "jsonl" ? jsonlStore(where) : await sqliteStore(where);
    if ("close" in other) closing.push(() => (other as { close(): void }).close());
    const one = await store.open("s1");
    await expect(store.open("s1")).rejects.toThrow(SessionInUseError);
    await expect(other.open("s1")).rejects.toThrow(`process ${process.pid}`);
    await (await other.open("s2")).close();
    await one.close();
    await (await other.open("s1")).close();
  });

  it("opens the session for at most one of many concurrent writers", async () => {
    const { store } = await make();
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => store.open("s1")));
    expect(opened.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
  });

  it("refuses a second writer while another process has it open, but not once that is killed [JOURNAL-16]", async () => {
    const { store, where } = await make();
    const program = fileURLToPath(new URL("../testing/holds-session.ts", import.meta.url));
    const child = spawn(process.execPath, [program, kind, where], { stdio: ["pipe", "pipe", "inherit"] });
    await once(child.stdout, "data");
    await expect(store.open("held")).rejects.toThrow(`process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "close");
    const taken = await store.open("held");
    expect(await taken.read()).toEqual([begin("held")]);
    await taken.close();
  });

  it("lists the written sessions, latest first, for any ids", async () => {
    const { store } = await make();
    const ids = ["a", "A", "../up", ".", "Ürümqi / 乌鲁木齐", "con", "a%2fb", "x".repeat(60)];
    for (const id of ids) {
      const one = await store.open(id);
      await one.append([begin(id)]);
      await one.close();
    }
    await (await store.open("empty")).close();
    const listed = await store.list();
    expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(listed.map(({ updated_at }) => updated_at)).toEqual(
      listed.map(({ updated_at }) => updated_at).sort((one, other) => other - one),
    );
    for (const id of ids) expect(await store.read(id)).toEqual([begin(id)]);
  });

  it("forks the messages, but not pending calls [JOURNAL-19]", async () => {
    const { store } = await make();
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
