// One transaction for all that is asked for at the same moment: many sessions wait for the disk once.

import type { DatabaseSync } from "node:sqlite";

import { isBusy, whenFree } from "./when-free.ts";

interface Asked {
  act: () => unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs each act as if it were alone, in the order in which they came: one that throws undoes what it did and nothing else. What it returns is
 * on disk when the promise is fulfilled. While another process has the database, all of them are tried again.
 */
export function together(db: DatabaseSync, mostMs: number): <T>(act: () => T) => Promise<T> {
  let waiting: Asked[] = [];
  let isFlushing = false;

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const answers = await whenFree(() => inTransaction(db, () => batch.map((one) => attempt(db, one))), mostMs);
        for (const answer of answers) answer();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      await nextTurn(); // those who were answered ask for the next
    }
    isFlushing = false;
  }
  return <T>(act: () => T) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ act, resolve: resolve as Asked["resolve"], reject });
      if (isFlushing) return;
      isFlushing = true;
      void nextTurn().then(flush);
    });
}

/** @returns what is to be called once the transaction is on disk */
function attempt(db: DatabaseSync, { act, resolve, reject }: Asked): () => void {
  db.exec("SAVEPOINT one");
  try {
    const value = act();
    db.exec("RELEASE one");
    return () => resolve(value);
  } catch (error) {
    if (isBusy(error)) throw error;
    db.exec("ROLLBACK TO one; RELEASE one");
    return () => reject(error);
  }
}

/** Runs `act` as one exclusive transaction. */
export function inTransaction<T>(db: DatabaseSync, act: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = act();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
