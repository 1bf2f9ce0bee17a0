// Opens a store of any kind by two words, as programs take them on their command line.

import pg from "pg";

import { jsonlStore } from "../stores/jsonl.ts";
import type { LeaseOptions } from "../stores/lease.ts";
import { postgresStore } from "../stores/postgres.ts";
import type { SessionStore } from "../stores/session-store.ts";
import { sqliteStore } from "../stores/sqlite.ts";

export const storeKinds = ["jsonl", "sqlite", "postgres"] as const;
export type StoreName = (typeof storeKinds)[number];

/** A store, and what ends its connections. */
export interface Opened<Store extends SessionStore = SessionStore> {
  store: Store;
  end(): Promise<void>;
}

/** @param where a folder, a database file, or the settings of a pool of `pg` as JSON */
export async function openStore(kind: StoreName, where: string, options: LeaseOptions = {}): Promise<Opened> {
  if (kind === "jsonl") return { store: jsonlStore(where, options), end: async () => {} };
  if (kind === "postgres") return openPostgres(where, options);
  const store = await sqliteStore(where, options);
  return { store, end: async () => store.close() };
}

async function openPostgres(where: string, options: LeaseOptions): Promise<Opened> {
  const pool = new pg.Pool(JSON.parse(where) as pg.PoolConfig);
  pool.on("error", () => {}); // an idle connection that is lost is replaced
  return { store: postgresStore(pool, options), end: () => pool.end() };
}
