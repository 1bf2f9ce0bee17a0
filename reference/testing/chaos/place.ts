// An empty store of each kind, for processes to share.

import { join } from "node:path";
import pg from "pg";

import { migratePostgres } from "../../stores/postgres.ts";
import type { StoreName } from "../open-store.ts";
import { startPostgres } from "../postgres-server.ts";

/**
 * Where the store is, as `openStore` takes it, and what removes it; files are in the folder.
 * @param isDurable whether PostgreSQL waits for the disk; the other stores always do
 */
export async function placeFor(
  store: StoreName,
  folder: string,
  isDurable = false,
): Promise<{ where: string; end(): Promise<void> }> {
  if (store === "jsonl") return { where: join(folder, "sessions"), end: async () => {} };
  if (store === "sqlite") return { where: join(folder, "sessions.db"), end: async () => {} };
  const server = await startPostgres(isDurable);
  const { host, user, database } = server;
  const settings = { host, user, database, max: 8 };
  const pool = new pg.Pool(settings);
  await migratePostgres(pool);
  await pool.end();
  return { where: JSON.stringify(settings), end: () => server.end() };
}
