// What the store in PostgreSQL guarantees: the contract of all stores, on a server that the test starts.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { noPostgres, startPostgres, type PostgresServer } from "../testing/postgres-server.ts";
import { begin, keepsTheContract, started } from "../testing/store-contract.ts";
import { migratePostgres, postgresStore } from "./postgres.ts";

describe.skipIf(noPostgres)(`the postgres store${noPostgres ? ` (skipped: ${noPostgres})` : ""}`, () => {
  let server: PostgresServer;
  let admin: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Pool(settings());
  });
  afterAll(async () => {
    await admin?.end();
    await server?.end();
  });

  let made = 0;
  const settings = (schema = "public"): pg.PoolConfig => ({
    host: server.host,
    user: server.user,
    database: server.database,
    options: `-c search_path=${schema}`,
    max: 1, // one statement after another, in the order of the test
  });
  /** A schema of its own. */
  async function place(): Promise<string> {
    const schema = `place_${(made += 1)}`;
    await admin.query(`CREATE SCHEMA ${schema}`);
    const pool = new pg.Pool(settings(schema));
    await migratePostgres(pool);
    await pool.end();
    return JSON.stringify(settings(schema));
  }

  keepsTheContract({ kind: "postgres", place, refusedIds: ["\0"], seesDeath: false, hasQueue: true });

  it("is migrated by many at once, and again", async () => {
    await admin.query("CREATE SCHEMA many");
    const pools = Array.from({ length: 6 }, () => new pg.Pool(settings("many")));
    await Promise.all(pools.map(migratePostgres));
    await migratePostgres(pools[0]!);
    await (await postgresStore(pools[1]!).open("s1")).close();
    for (const pool of pools) await pool.end();
  });

  it("says what is missing where nobody has migrated", async () => {
    await expect(postgresStore(admin).open("s1")).rejects.toThrow("agent_loop_sessions");
  });

  it("refuses a writer that stood still in the midst of a statement, and keeps all of it or nothing [JOURNAL-27]", async () => {
    const where = JSON.parse(await place()) as pg.PoolConfig;
    const [pool, other] = [new pg.Pool(where), new pg.Pool(where)];
    let now = Date.now();
    const clock = { now: () => now };
    const one = await postgresStore(pool, { leaseMs: 1_000, clock }).open("s1");
    await one.append([begin("s1")]);
    now += 1_001;
    // The next writer takes the session in a transaction, for whose end the statement of the first one waits.
    const client = await other.connect();
    await client.query("BEGIN");
    const next = await postgresStore(client, { leaseMs: 1_000, clock }).open("s1");
    const late = expect(one.append([started, started], { after: 1 })).rejects.toThrow("taken over");
    await vi.waitFor(async () => {
      expect((await admin.query("SELECT 1 FROM pg_locks WHERE NOT granted")).rowCount).toBeGreaterThan(0);
    }, 30_000);
    await client.query("COMMIT");
    await late;
    expect(await next.read()).toEqual([begin("s1")]);
    await next.close();
    client.release();
    for (const each of [pool, other]) await each.end();
  });
});
